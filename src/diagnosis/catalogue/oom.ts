import type { Causes } from './cause.ts'

export const oom: Causes = {
  'oom.container-limit': {
    what: 'The container used more than its memory limit and was killed by the kernel.',
    looksAt: 'reason `OOMKilled` with exit code 137, and the limit',
    todo: 'Raise the limit above what it needs, or make it use less.',
  },
  'oom.child-process': {
    what: 'A child process in the container was killed for memory; the main process then ended with a code of its own.',
    looksAt: 'reason `OOMKilled` with another code than 137, and what the log says of the child',
    todo: 'Raise the limit, or run fewer or smaller workers.',
  },
  'oom.ulimit-allocation': {
    what: 'The program sizes a table by the limit on open files, and cannot have that much memory.',
    looksAt: 'the allocation in the log, or a kill within seconds of the start of a server known for it',
    todo: 'Lower the limit on open files; more memory does not help.',
  },
  'oom.misreported': {
    what: 'The reason says `OOMKilled`, but the process was asked to stop.',
    looksAt: 'exit code 143 beside that reason, and a probe that killed the container',
    todo: 'Look for who stopped it before touching the memory limit.',
  },
  'oom.node': {
    what: 'The container was killed because the node, not its own limit, ran out of memory.',
    looksAt: 'a kill without a memory limit, and SystemOOM events of the node at that moment',
    todo: 'Set requests and limits near what is used, and find who uses the memory of the node.',
  },
}
