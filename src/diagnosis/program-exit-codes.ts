/** How a container says what runs in it. */
export interface ProgramHints {
  readonly image?: string | null | undefined
  readonly command?: readonly string[] | null | undefined
  readonly args?: readonly string[] | null | undefined
}

// By the name of the executable, versions cut: `/usr/bin/python3.11` is `python`.
const executables: ReadonlyMap<string, string> = new Map(
  Object.entries({
    sh: 'shell',
    bash: 'shell',
    dash: 'shell',
    ash: 'shell',
    node: 'node',
    nodejs: 'node',
    python: 'python',
    gunicorn: 'gunicorn',
    java: 'java',
    dotnet: 'dotnet',
    php: 'php',
    nginx: 'nginx',
    postgres: 'postgres',
    mongod: 'mongodb',
    elasticsearch: 'elasticsearch',
    psql: 'psql',
    curl: 'curl',
    wget: 'wget',
    git: 'git',
  }),
)

// By the name of an official image, where its entrypoint is the program.
const images: ReadonlyMap<string, string> = new Map(
  Object.entries({
    node: 'node',
    nginx: 'nginx',
    postgres: 'postgres',
    mongo: 'mongodb',
    elasticsearch: 'elasticsearch',
  }),
)

/** `docker.io/library/node:24@sha256:…` → `node`; null for an image of anybody else's, whatever its name. */
const officialImage = (image: string): string | null =>
  /^(?:(?:[^/]+\/)*library\/|docker\.elastic\.co\/elasticsearch\/)?([a-z]+)(?::[^/@]+)?(?:@.+)?$/.exec(image)?.[1] ??
  null

/** The program a container runs, as far as its command or an official image leaves no doubt; else null. */
export const programOf = ({ image, command, args }: ProgramHints): string | null => {
  const first = command?.[0] ?? (args?.[0]?.startsWith('-') ? undefined : args?.[0])
  if (first === undefined) return images.get(officialImage(image ?? '') ?? '') ?? null
  const executable = first.slice(first.lastIndexOf('/') + 1).replace(/(?<=[a-z])[\d.]+$/, '')
  return executables.get(executable) ?? null
}

const meanings: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  shell: {
    1: 'The script ended with this code: its own exit, or the code of its last command; the log says which.',
    2: 'The shell met a syntax error or a wrongly used builtin, or passed on the 2 of its last command.',
    126: 'The shell found a command but could not execute it: no execute permission, a directory, a wrong format.',
    127: 'The shell did not find a command, or a shared library that the command needs is missing.',
  },
  node: {
    1: 'Node.js ended with 1: an uncaught exception, an unhandled rejection, or an exit(1) of the program.',
    5: 'Node.js: a fatal error in V8.',
    7: 'Node.js: the handler for uncaught exceptions threw an exception itself.',
    9: 'Node.js refused an argument: a flag it does not know, or an option without its value.',
    10: 'Node.js: an error inside Node.js while it started.',
    12: 'Node.js refused the arguments for its debugger.',
    13: 'Node.js: an await at the top level was never settled, and nothing was left to do.',
    134: 'Node.js aborted (SIGABRT, 128 + 6), which it does when the JavaScript heap is exhausted; its log says so.',
    139: 'Node.js crashed (SIGSEGV, 128 + 11): a native module, or an exhausted JavaScript heap; its log says which.',
  },
  python: {
    1: 'Python ended with 1: an uncaught exception, or a sys.exit(1) of the program.',
    2: 'Python, or the program, refused its arguments, or Python could not open the script.',
    120: 'Python could not write out its last output: the log pipe was closed or the disk full.',
  },
  gunicorn: {
    3: 'Gunicorn: a worker failed to boot; the exception stands in the log.',
    4: 'Gunicorn could not load the application.',
  },
  java: {
    1: 'Java ended with 1: an uncaught exception in main, a JVM that could not be started, or a System.exit(1).',
    3: 'Java ended with 3: its heap was exhausted under -XX:+ExitOnOutOfMemoryError, or a System.exit(3).',
    134: 'The JVM aborted (SIGABRT, 128 + 6): a crash in native code, or its heap was exhausted under -XX:+CrashOnOutOfMemoryError.',
  },
  dotnet: {
    131: 'The .NET host returns 131 where it does not find hostfxr or a library; as a signal it would be SIGQUIT (128 + 3).',
    134: 'An unhandled .NET exception, or a FailFast (SIGABRT, 128 + 6).',
    150: 'The .NET host returns 150 where the framework version it needs is missing.',
  },
  php: { 255: 'PHP: a fatal error; its log says which.' },
  nginx: { 1: 'nginx refused to start; the reason is the line with [emerg] in its log.' },
  postgres: {
    1: 'PostgreSQL refused to start; the reason is the line with FATAL in its log.',
    2: 'PostgreSQL ended after a crash of one of its server processes.',
  },
  mongodb: {
    14: 'MongoDB: an error it could not recover from.',
    48: 'MongoDB: its port is in use.',
    62: 'MongoDB: the data files are of a version it cannot read.',
    100: 'MongoDB: an uncaught exception while it started.',
    132: 'MongoDB met an instruction that the CPU does not know (SIGILL, 128 + 4): from 5.0 it needs AVX.',
  },
  elasticsearch: { 78: 'Elasticsearch: a bootstrap check failed, often vm.max_map_count; the log names it.' },
  psql: {
    1: 'psql: a fatal error of its own, such as a missing file.',
    2: 'psql lost its connection to the server, or got none.',
    3: 'psql: a statement of the script failed under ON_ERROR_STOP.',
  },
  curl: {
    6: 'curl: the host name could not be resolved.',
    7: 'curl: the connection was refused or could not be made.',
    22: 'curl: the server answered with an HTTP error (400 or above).',
    28: 'curl: the time ran out.',
    35: 'curl: the TLS handshake failed.',
    52: 'curl: the server answered nothing.',
    56: 'curl: the connection broke while receiving.',
    60: "curl: the server's certificate could not be verified.",
  },
  wget: {
    4: 'wget: a network failure.',
    5: 'wget: the certificate could not be verified.',
    8: 'wget: the server answered with an error.',
  },
  git: { 128: 'git: a fatal error; its log says which.' },
}

/** What the code means to that very program; null where it has no meaning of its own. */
export const programMeaning = (program: string | null, code: number): string | null =>
  meanings[program ?? '']?.[code] ?? null
