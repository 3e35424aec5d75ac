import type { LogFamily } from '../decisive-entry.ts'

/**
 * Errors that are the program's own: a fault of its code, its data or its migrations. They compete with the other
 * families, so that an earlier complaint about something else does not pass for the cause; what they win is told by the
 * general words about an exit and its last line.
 */
export const ownErrors: LogFamily = {
  id: 'app.crash',
  hint: /[Ee]rror|[Ee]xception|panic|fatal|abort|assert|checksum|revision|migration|undefined|nil/,
  rows: [
    {
      pattern:
        /panic: runtime error|nil pointer dereference|index out of range|all goroutines are asleep|concurrent map/,
      weight: 15,
    },
    {
      pattern:
        /NullPointerException|NullReferenceException|ArrayIndexOutOfBounds|ClassCastException|StackOverflow|IndexOutOfRangeException|InvalidCastException/,
      weight: 9,
    },
    {
      pattern:
        /^(?:Uncaught )?(?:TypeError|ReferenceError|SyntaxError|RangeError|AttributeError|IndexError|NameError|ZeroDivisionError|AssertionError|UnboundLocalError|RecursionError|IndentationError|UnicodeDecodeError|NotImplementedError)\b/,
      weight: 9,
    },
    {
      pattern:
        /\((?:NoMethodError|NameError|TypeError|ArgumentError|SyntaxError)\)|undefined (?:local variable or )?method/,
      weight: 9,
    },
    {
      pattern:
        /FlywayException|Validate failed: Migrations|checksum mismatch|Can't locate revision|LiquibaseException|Validation Failed:|DirtyDatabase|Dirty database version|PendingMigrationError|already exists|duplicate (?:key|column)|violates (?:unique|foreign key|not-null|check) constraint|relation "[^"]{1,100}" does not exist|Table '[^']{1,100}' doesn't exist|syntax error at or near/,
      weight: 12,
    },
    {
      pattern:
        /The data(?:base)? (?:directory|files) (?:was|are|were) (?:initialized by|incompatible)|database files are incompatible|unsupported major\.minor|UnsupportedClassVersionError|exec format error/,
      weight: 16,
    },
    {
      pattern:
        /certificate (?:signed by unknown authority|has expired|is not trusted|verify failed)|CERTIFICATE_VERIFY_FAILED|self[- ]signed certificate|unable to (?:verify the first|get local issuer) certificate|PKIX path building failed|x509: /i,
      weight: 13,
    },
    { pattern: /no space left on device|ENOSPC|disk quota exceeded/i, weight: 10 },
    {
      pattern: /^(?:[\w.$]{1,120})(?:Error|Exception)(?::|$)|^panic: |panicked at|^Unhandled exception|Uncaught /,
      weight: -4,
    },
  ],
}
