// Names: Linux signal(7). Second: what usually lies behind it, as a sentence; none where nothing is usual.
const signals: Readonly<Record<number, readonly [name: string, usually?: string]>> = {
  1: ['SIGHUP'],
  2: ['SIGINT', 'Something interrupted it, as Ctrl-C does.'],
  3: ['SIGQUIT', 'Something asked it to quit; images such as nginx name this signal as their way to stop.'],
  4: [
    'SIGILL',
    'The CPU met an instruction it does not know: usually a build for a newer CPU, or the trap with which a program gives up on purpose, as Swift does.',
  ],
  5: ['SIGTRAP', 'It ran into a trap, which is how some programs end on a fatal error of their own.'],
  6: ['SIGABRT', 'It gave up on an error it could not handle, such as a failed assertion or an exhausted heap.'],
  7: ['SIGBUS', 'It used memory that is not there: a full /dev/shm, a mapped file cut short, missing huge pages.'],
  8: ['SIGFPE', 'It divided an integer by zero or made a similar error of arithmetic.'],
  9: ['SIGKILL'],
  10: ['SIGUSR1'],
  11: [
    'SIGSEGV',
    'It used memory it may not – a bug in native code, a library built for another system, a stack overflow – or, as the first process of its container, gave up with an abort.',
  ],
  12: ['SIGUSR2'],
  13: ['SIGPIPE', 'It wrote to a pipe or connection whose other end was closed.'],
  14: ['SIGALRM', 'A timer that it had set itself ran out.'],
  15: ['SIGTERM'],
  16: ['SIGSTKFLT'],
  24: ['SIGXCPU', 'It used up the CPU time that a ulimit allows.'],
  25: ['SIGXFSZ', 'It wrote a file larger than a ulimit allows.'],
  26: ['SIGVTALRM'],
  27: ['SIGPROF'],
  28: ['SIGWINCH', 'Apache httpd takes this signal for the request to stop gracefully.'],
  29: ['SIGIO'],
  30: ['SIGPWR'],
  31: ['SIGSYS', 'It made a system call that its seccomp profile forbids.'],
}

const signalNumber = (code: number): number | null => (code > 128 && code <= 192 ? code - 128 : null)

/** Signals that stop, continue or are ignored, but end no process: SIGCHLD to SIGURG. */
const endsNothing = (number: number): boolean => number >= 17 && number <= 23

/** `SIGKILL` for 137; real-time signals by number, `SIG34` for 162; null for a code that names no signal that ends a process. */
export const signalOf = (code: number): string | null => {
  const number = signalNumber(code)
  return number === null || endsNothing(number) ? null : (signals[number]?.[0] ?? `SIG${number}`)
}

/** What usually lies behind a code of 128 + n; null where nothing is usual. */
export const usualSignalCause = (code: number): string | null => signals[signalNumber(code) ?? 0]?.[1] ?? null

/**
 * What codes mean by wide-spread convention, whatever the program. A program is free to use them otherwise, so these are
 * no claims about this one.
 */
export const conventions: Readonly<Record<number, string>> = {
  1: 'The program ended itself with a general error: an uncaught exception, a bad configuration; its log says which.',
  2: 'The program ended itself with an error: many commands mean wrong arguments by 2, a Go program a panic.',
  64: 'By convention (sysexits): wrong usage of the command.',
  65: 'By convention (sysexits): bad input data.',
  66: 'By convention (sysexits): an input file is missing or unreadable.',
  67: 'By convention (sysexits): an unknown user.',
  68: 'By convention (sysexits): an unknown host.',
  69: 'By convention (sysexits): a service it needs is unavailable.',
  70: 'By convention (sysexits): an internal error of the program.',
  71: 'By convention (sysexits): an error of the operating system.',
  72: 'By convention (sysexits): a system file is missing or unreadable.',
  73: 'By convention (sysexits): an output file cannot be created.',
  74: 'By convention (sysexits): an input or output error.',
  75: 'By convention (sysexits): a temporary failure; another try may succeed.',
  76: 'By convention (sysexits): an error of a protocol.',
  77: 'By convention (sysexits): no permission.',
  78: 'By convention (sysexits): a configuration error.',
  101: 'The program ended itself with an error; a Rust program ends so when it panics.',
  111: 'The program ended itself with an error; s6-overlay and execline mean a command they could not execute.',
  124: 'What the command timeout returns when the time it allows has run out.',
  125: 'The program ended itself with an error; the command timeout means a failure of its own.',
  126: 'What a shell returns for a command it found but could not execute: no execute permission, a directory, a wrong format.',
  127: 'What a shell returns for a command it did not find, and the loader for a shared library that is missing.',
  128: 'The program ended itself with an error; git uses this code for fatal ones.',
  254: 'The program ended itself with an error, which it probably knows as -2.',
  255: 'Many programs return this code for -1, and runc for a file it could not execute; it also stands where the process that supervised the container was killed.',
}

const windows: Readonly<Record<string, string>> = {
  '0x0000042B': 'the process of a service ended unexpectedly',
  '0x40010004': 'ended by a debugger or the shutdown',
  '0x80131506': 'an internal error of the .NET runtime',
  '0xC0000005': 'it used memory it may not (access violation)',
  '0xC0000017': 'not enough memory',
  '0xC000001D': 'an instruction that the CPU does not know',
  '0xC000007B': 'a bad image, such as 32-bit and 64-bit files mixed',
  '0xC0000094': 'an integer was divided by zero',
  '0xC00000FD': 'the stack overflowed',
  '0xC0000135': 'a DLL was not found',
  '0xC000013A': 'asked to stop, as by Ctrl-C or a shutdown',
  '0xC0000142': 'a DLL could not be initialised',
  '0xC0000374': 'the heap is damaged',
  '0xC0000409': 'a fail-fast, such as a buffer overrun',
  '0xE0434352': 'an unhandled .NET exception',
}

/** What a code that only Windows containers have means, with its usual hexadecimal writing; null for others. */
export const windowsMeaning = (code: number): string | null => {
  if (code >= -1 && code <= 255) return null
  const hex = `0x${(code < 0 ? code + 2 ** 32 : code).toString(16).toUpperCase().padStart(8, '0')}`
  return `Windows status ${hex}: ${windows[hex] ?? 'the documentation of the program or of Windows tells what it means'}.`
}
