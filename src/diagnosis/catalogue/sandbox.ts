import type { Causes } from './cause.ts'

export const sandbox: Causes = {
  'sandbox.cni-plugin-error': {
    what: 'The CNI plugin on the node fails, so the pod gets no network.',
    looksAt: 'the newest FailedCreatePodSandBox event: which plugin, which file or daemon it misses',
    todo: 'Look at the pod of the network add-on on that node, its log and its configuration.',
  },
  'sandbox.ip-exhausted': {
    what: 'There is no free address left for the pod on its node or subnet.',
    looksAt: 'the sandbox failure, in the words of the usual plugins, and the range it names',
    todo: 'Enlarge the range or subnet, or free leases of pods that are long gone.',
  },
  'sandbox.pause-image-pull': {
    what: 'The sandbox (pause) image of the container runtime cannot be pulled; the images of the pod are not involved.',
    looksAt: 'the sandbox failure and the image it names',
    todo: 'Set a sandbox image in the configuration of the runtime that the node can pull.',
  },
  'sandbox.other': {
    what: 'The pod sandbox cannot be made for another reason, such as a runtime handler that the node does not have.',
    looksAt: 'the newest sandbox failure, which is quoted',
    todo: 'Mend what the runtime names on that node; its own log says more.',
  },
}
