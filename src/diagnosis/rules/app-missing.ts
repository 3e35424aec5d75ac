import type { Match } from '../decisive-entry.ts'
import { code } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { type AppFamily, logDraft, said } from './app-log-draft.ts'

const image = ({ container }: Subject): string => code(container.spec.image ?? 'its image')

const named = ({ groups }: Match): string | null => groups['module'] ?? groups['library'] ?? null

const module: AppFamily = {
  id: 'app.missing-module',
  hint: /install or update|module|import|class|load|gem|package|require|assembl|framework|locate|jar|driver|undefined|autoload|can't open file|ASGI|WSGI|manifest|Missing script|no package/i,
  rows: [
    { pattern: /ModuleNotFoundError: No module named '(?<module>[^']+)'/, weight: 17 },
    {
      pattern: /This package doesn't seem to be present in your lockfile/,
      weight: 16,
    },
    { pattern: /[Cc](?:annot|ould not) find (?:database |JDBC )?driver:? (?<module>[\w.$]{3,120})/, weight: 15 },
    { pattern: /\bNo module named '?"?(?<module>[\w.-]+)/, weight: 16 },
    { pattern: /ImportError: cannot import name '?(?<module>\w+)'? from/, weight: 15, note: 'version' },
    { pattern: /can't open file '(?<module>[^']+)': \[Errno 2\]/, weight: 16 },
    { pattern: /Could not import module "?(?<module>[\w.]+)/, weight: 15 },
    {
      pattern:
        /(?:Unable to load celery application|Could not import) .{0,40}?'?(?<module>\w[\w.]+)'? ?(?:was not found|\.|$)/,
      weight: 14,
    },
    { pattern: /Cannot find (?:module|package) '(?<module>[^']+)'/, weight: 17 },
    { pattern: /Cannot find (?:module|package) "(?<module>[^"]+)"/, weight: 17 },
    { pattern: /Module not found "(?<module>[^"]+)"/, weight: 17 },
    { pattern: /ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND'?$/, weight: 12 },
    { pattern: /npm (?:ERR!|error) [Mm]issing script: "?(?<module>[\w:.-]+)/, weight: 15, note: 'script' },
    { pattern: /(?:ClassNotFoundException|NoClassDefFoundError): (?<module>[\w.$/]+)/, weight: 16 },
    { pattern: /Could not find or load main class (?<module>[\w.$/-]+)/, weight: 17 },
    { pattern: /Unable to access jarfile (?<module>\S+)/, weight: 17 },
    { pattern: /Error opening zip file or JAR manifest missing ?: ?(?<module>\S+)/, weight: 17 },
    { pattern: /no main manifest attribute, in (?<module>\S+)/, weight: 16 },
    { pattern: /cannot load such file -- (?<module>[\w./-]+)/, weight: 16 },
    {
      pattern:
        /Could not find (?:gem )?'?(?<module>[\w.-]{1,80})'?.{0,60} in (?:locally installed gems|any of the sources|rubygems|cached gems)/,
      weight: 16,
    },
    { pattern: /Bundler::GemNotFound|bundler: command not found: (?<module>\S+)/, weight: 15 },
    { pattern: /can't find gem (?<module>[\w-]+)/, weight: 15 },
    {
      pattern:
        /Unable to find the JDBC driver \((?<module>[^)]{1,100})\)|Cannot load driver class: (?<driver>\S{1,100})|No suitable driver found/,
      weight: 15,
    },
    { pattern: /Class "?'?(?<module>\\?[A-Z][\w\\]*)'?"? not found/, weight: 15 },
    {
      pattern: /Failed opening required '(?<module>[^']+)'|require(?:_once)?\((?<file>[^)]+)\): Failed to open stream/i,
      weight: 15,
    },
    { pattern: /^(?:.{0,40})could not find driver/, weight: 15, note: 'driver' },
    {
      pattern:
        /Call to undefined function \\?(?<module>(?:mysqli|mysql|pg|imagecreate|curl|mb|simplexml|bc|gd|intl|sodium|redis|igbinary|apcu)_?\w*)\(/,
      weight: 15,
      note: 'driver',
    },
    { pattern: /Could not load file or assembly '(?<module>[^',]+)/, weight: 16 },
    { pattern: /assembly specified in the application dependencies manifest/, weight: 15 },
    {
      pattern:
        /You must install or update \.NET to run this application|The framework '(?<module>[^']+)', version '[^']+'[^\n]{0,40}was not found/,
      weight: 16,
    },
    { pattern: /The application to execute does not exist: '(?<module>[^']+)'/, weight: 16 },
    { pattern: /Can't locate (?<module>\S+\.pm) in @INC/, weight: 17 },
    { pattern: /\(module (?<module>[\w.]+) is not available\)/, weight: 15 },
    {
      pattern:
        /FindException: Module (?<module>[\w.]+) not found|NoSuchModuleError: Can't load plugin: (?<driver>[\w.:]+)/,
      weight: 16,
    },
    { pattern: /there is no package called ['‘](?<module>[\w.]+)/, weight: 16 },
    { pattern: /module '(?<module>[\w.-]+)' not found:/, weight: 15 },
    { pattern: /No module named (?<module>\w+)$/, weight: 15 },
  ],
  tell: (subject, match) => {
    // Python and Ruby load shared libraries by import, too: that is another cause.
    if (/cannot open shared object file/.test(match.entry.text)) return null
    const name = named(match) ?? match.groups['file'] ?? match.groups['driver'] ?? null
    const what =
      match.row.note === 'version'
        ? `the installed version of a package does not have ${code(name ?? '')}`
        : match.row.note === 'driver'
          ? `an extension of its language is not in the image${name === null ? '' : ` (${code(name)})`}`
          : match.row.note === 'script'
            ? `the npm script ${code(name ?? '')} is not in its package.json`
            : name === null
              ? 'a package or class that it needs is not in the image'
              : `${code(name)} is not in the image`
    return logDraft(subject, match, {
      because: `${what}. Its log says ${said(match)}.`,
      fix: [
        `Build ${image(subject)} anew with ${name === null ? 'that package' : code(name)} in it (lock file, install step, files copied), or correct the name where it is used; then roll that image out.`,
        'Check that no volume is mounted over the directory that holds it, and that `workingDir` and `command` are those of this image.',
      ],
      verify: ['The new image starts with the same `command` on a developer machine.'],
    })
  },
}

const library: AppFamily = {
  id: 'app.missing-library',
  hint: /librar|\.so|symbol|GLIBC|relocating|dlopen|DLOPEN|UnsatisfiedLink|ICU|DllNotFound|dylib|Query ?[Ee]ngine|engines/,
  rows: [
    { pattern: /error while loading shared libraries: (?<library>[^:\s]+):/, weight: 19 },
    { pattern: /(?<![\w+.-])(?<library>[\w+.-]{4,120}): cannot open shared object file/, weight: 19 },
    { pattern: /Error loading shared library (?<library>[^:\s]+):/, weight: 19 },
    { pattern: /Error relocating [^:\s]{1,200}: (?<library>\S+): symbol not found/, weight: 19 },
    { pattern: /version [`'"‘](?<library>(?:GLIBC|GLIBCXX|CXXABI|OPENSSL|LIBC)[\w.]+)['"’`] not found/, weight: 19 },
    { pattern: /undefined symbol: (?<library>\w+)/, weight: 17 },
    { pattern: /symbol not found|symbol lookup error/i, weight: 15 },
    { pattern: /UnsatisfiedLinkError: (?<library>[^\s:]+)/, weight: 17 },
    { pattern: /Unable to load shared library '(?<library>[^']+)'/, weight: 18 },
    { pattern: /Couldn't find a valid ICU package/, weight: 19 },
    { pattern: /(?:The library |A fatal error occurred[.,].{0,40})'?(?<library>libhost\w+\.so)/, weight: 18 },
    { pattern: /ERR_DLOPEN_FAILED/, weight: 15 },
    { pattern: /could not locate the Query Engine for runtime "(?<library>[^"]+)"/, weight: 18 },
    { pattern: /Unable to require\(`(?<library>[^`]+\.node)`\)/, weight: 17 },
    { pattern: /Unable to load dynamic library '(?<library>[^']+)'/, weight: 5, isCertain: false },
  ],
  tell: (subject, match) => {
    const name = named(match)
    const isGlibc = /GLIBC|relocating|ld-linux|musl|symbol not found/.test(match.entry.text)
    return logDraft(subject, match, {
      because: `${name === null ? 'a shared library that it needs is' : `shared library or symbol ${code(name)} is`} not in the image. Its log says ${said(match)}.`,
      fix: [
        isGlibc
          ? `Build the program of ${image(subject)} against the C library of its base image (glibc or musl, same or older version), or use a base image that has the one it was built against.`
          : `Install the package that holds ${name === null ? 'it' : code(name)} in ${image(subject)}, then roll that image out.`,
      ],
      avoid: ['Copying single `.so` files into the container: their own dependencies follow.'],
    })
  },
}

export const missing: readonly AppFamily[] = [library, module]
