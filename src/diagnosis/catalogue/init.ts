import type { Causes } from './cause.ts'

export const init: Causes = {
  'init.wait-no-endpoints': {
    what: 'An init container waits for a Service that exists, but no ready pod stands behind it.',
    looksAt:
      'host and port in command, arguments, environment and log; the Service, its EndpointSlices, and why the pods behind it are not ready',
    todo: 'Make what stands behind the Service ready; the init container then goes on by itself.',
  },
  'init.wait-wrong-target': {
    what: 'An init container waits for a Service, Job or host that does not exist.',
    looksAt: 'what it waits for, and that there is no such object; names that are nearly the same',
    todo: 'Correct the name, or create what it waits for.',
  },
  'init.wait-wrong-port': {
    what: 'An init container waits on a port that the Service does not offer.',
    looksAt: 'the port it waits for against the ports of the Service',
    todo: 'Use a port of the Service, or add that one to it.',
  },
  'init.wait-not-ready': {
    what: 'What an init container waits for answers, but says that it is not ready.',
    looksAt: 'the answers in its log (5xx, 4xx, "starting up"), with the Service and its endpoints in order',
    todo: 'Find out why the target answers so; its own log tells.',
  },
  'init.wait-deadlock': {
    what: 'An init container waits for a Job that is likely a Helm hook, which in turn comes only when the pods are ready.',
    looksAt: 'the Job it waits for, that there is none, and that the pod belongs to a Helm release',
    todo: 'Make the Job run before the pods, or install without `--wait`.',
  },
  'init.wait-broken-check': {
    what: 'What an init container waits for is there; the check itself does not work.',
    looksAt: 'look-ups that fail in the log while the Service exists with ready endpoints, and the tool that looks up',
    todo: 'Look up the full name, or use another tool or image for the check.',
  },
  'init.not-idempotent': {
    what: 'An init container was run again and trips over what its own earlier run left.',
    looksAt: 'complaints about things that exist already, the exit code and how often it ran',
    todo: 'Make the step safe to repeat; delete the pod to see its first failure again.',
  },
  'init.oom': {
    what: 'An init container was killed for memory, at its own limit.',
    looksAt: 'reason `OOMKilled` of the init container – also with exit code 0 – and its limit',
    todo: 'Raise its own memory limit; those of the app containers do not help it.',
  },
  'init.permission': {
    what: 'An init container lacks the privilege for its step, such as a sysctl or a chown.',
    looksAt: 'the refusal in its log together with what was refused, and its `securityContext`',
    todo: 'Use `fsGroup` instead of a chown; else grant what the step needs, or do it on the node.',
  },
  'init.mesh-redirect': {
    what: 'The traffic redirection of a service mesh fails, is missing, or cuts an init container off.',
    looksAt: 'init containers and proxies by the names their injectors give them, their order, states and logs',
    todo: 'Grant NET_ADMIN and NET_RAW or use the CNI plugin of the mesh; recreate the pod; run the step before the redirection.',
  },
  'init.silent-failure': {
    what: 'An init container ended with 0 without doing its job, and the app fails on just that.',
    looksAt:
      'a name that the complaint of the app and the command of the init container share, and a problem in the log of the latter',
    todo: 'Make the init container fail when it cannot do its step, and give it what it lacks.',
  },
  'init.sidecar-crash': {
    what: 'A native sidecar (an init container that restarts) ends on its own, for a reason that only its log knows.',
    looksAt: 'state, exit code and log of the sidecar, and whether the pod is initialised all the same',
    todo: 'Mend what the quoted line names; the app containers may well be running.',
  },
  'init.migration-race': {
    what: 'Several replicas run the same migration at once, and this one meets what another made or locks.',
    looksAt:
      'lock and duplicate errors in the log of a migration, and pods of the same owner that started within two minutes',
    todo: 'Run the migration once, in a Job, or make it take a lock and safe to repeat.',
  },
  'init.waiting': {
    what: 'An init container runs and waits; nothing is proven wrong.',
    looksAt: 'how long it has run, what it waits for, and the last thing it wrote',
    todo: 'Wait if the step may take so long; else follow its log.',
  },
  'init.crash': {
    what: 'An init container ends non-zero for a reason that only its log knows.',
    looksAt: 'exit code and the line of its log that matters, which is quoted',
    todo: 'Mend what that line names.',
  },
}
