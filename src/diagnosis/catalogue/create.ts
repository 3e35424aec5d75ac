import type { Causes } from './cause.ts'

export const create: Causes = {
  'create.object-missing': {
    what: 'The environment of the container refers to a ConfigMap or Secret that does not exist in the namespace.',
    looksAt: 'the message of `CreateContainerConfigError`, and which field of the spec refers to the object',
    todo: 'Create the object, or correct its name; the kubelet tries again by itself.',
  },
  'create.key-missing': {
    what: 'The ConfigMap or Secret exists, but not the key that the container asks for.',
    looksAt: 'the message of `CreateContainerConfigError`, and which field asks for the key',
    todo: 'Add the key, or correct it in the spec.',
  },
  'create.run-as-non-root': {
    what: '`runAsNonRoot` is set, and the container would run as root or as a user that cannot be told from it.',
    looksAt: 'the message of `CreateContainerConfigError`',
    todo: 'Set `runAsUser` to a uid other than 0, or build the image with a numeric user.',
  },
  'create.name-reserved': {
    what: 'An earlier attempt to create the container is still under way in the runtime and holds its name.',
    looksAt: 'the message (`is reserved`), and an earlier attempt that timed out',
    todo: 'Relieve disk and runtime of the node; remove nothing by hand.',
  },
  'start.command-not-found': {
    what: 'The program that the container is to run is not in the image.',
    looksAt: 'the message of the runtime, or the last line of a shell with exit code 127',
    todo: 'Correct `command`, or use an image that has the program at that path.',
  },
  'start.args-replace-cmd': {
    what: '`args` replaces the CMD of an image without ENTRYPOINT, so that an option is taken for the program.',
    looksAt: 'the message of the runtime, in which the missing program begins with a dash',
    todo: 'Set `command` to the program, so that `args` are only its arguments.',
  },
  'start.capability-denied': {
    what: 'The node or its runtime refuses a capability that the container asks for.',
    looksAt: 'the message of the runtime (`unable to apply caps`)',
    todo: 'Drop the capability, or use a node that grants it.',
  },
  'start.runtime-error': {
    what: 'The runtime fails before the program starts: a mount, the working directory, a memory limit too small to start, a hook.',
    looksAt: 'the message of `StartError` or `RunContainerError`; there is no log',
    todo: 'Correct what the message names in the spec, or repair the node.',
  },
  'start.hook-failed': {
    what: 'The postStart hook failed, and the kubelet killed the container for it.',
    looksAt: 'the FailedPostStartHook event or `PostStartHookError`, and the hook in the spec',
    todo: 'Mend the hook; run its command by hand to see how it fails.',
  },
  'create.other': {
    what: 'The container cannot be created for another reason, or has not started and nothing says why.',
    looksAt: 'the waiting message, which is quoted',
    todo: 'Mend what the message names, in the spec or on the node.',
  },
}
