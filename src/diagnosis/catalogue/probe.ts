import type { Causes } from './cause.ts'

export const probe: Causes = {
  'probe.wrong-path': {
    what: 'A probe asks a path that the application does not serve.',
    looksAt: 'status code 404 or 405 in the Unhealthy event, and the path in the spec',
    todo: 'Set the path to one that the application serves.',
  },
  'probe.wrong-port': {
    what: 'A probe asks a port on which nothing listens, while the program listens on another.',
    looksAt: '`connection refused`, the port of the probe, and the ports that log and spec name',
    todo: 'Point the probe at the port the program listens on.',
  },
  'probe.slow-start': {
    what: 'A probe kills the container before it has started.',
    looksAt: '`connection refused` until a kill at the age that the budget of the probe allows',
    todo: 'Add a `startupProbe` that allows for the slowest start, or raise its `failureThreshold`.',
  },
  'probe.too-tight': {
    what: 'The check does not answer within the timeout of the probe.',
    looksAt: 'timeouts in the Unhealthy event, `timeoutSeconds` and the CPU limit',
    todo: 'Raise the timeout, make the check cheap, or give the container more CPU.',
  },
  'probe.kills-migration': {
    what: 'A probe restarts the container in the middle of a migration; later runs meet what that one left.',
    looksAt:
      'a kill by a probe, with a migration under way at the end of that log, or a dirty version or lock in a later one',
    todo: 'Run the migration where no probe restarts it, and repair the schema by hand first.',
  },
  'probe.readiness-dependency': {
    what: 'The application itself says that it is not ready, most often for a dependency.',
    looksAt: 'a 5xx of the readiness probe, and the line of the log that complains',
    todo: 'Bring back what it waits for; the probe only reports it.',
  },
  'probe.dependency': {
    what: 'A liveness probe checks a dependency, so that its failure restarts every replica.',
    looksAt: 'a 5xx of the liveness probe, and the dependency that the log names',
    todo: 'Move that check into readiness, and bring the dependency back.',
  },
  'probe.other': {
    what: 'A probe fails for another reason, or the container is not ready and nothing says why.',
    looksAt: 'the Unhealthy and Killing events, the probe, and the last thing the container wrote',
    todo: 'Find why the check fails at that moment.',
  },
}
