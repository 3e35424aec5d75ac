import { addressIn, hostPorts } from '../addresses.ts'
import type { Match } from '../decisive-entry.ts'
import { code, fact } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { type AppFamily, around, logDraft, said } from './app-log-draft.ts'

const PORT = /(?:\bport[ :='"]{1,3}|[\])\d*]:|\(['"][\d.:]*['"], |[^\w.]:)(\d{1,5})\b/i

const TIME = /\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?/g

const portIn = (line: string): string | null => {
  const text = line.replace(TIME, '')
  const found = PORT.exec(text)?.[1] ?? hostPorts(text)[0]?.port ?? addressIn(text)?.port
  return found === undefined || found === null ? null : String(found)
}

/** The port it wanted: from the line, else from the lines around, else from its arguments and its spec. */
const wantedPort = (subject: Subject, match: Match): string | null => {
  const own = match.groups['port'] ?? portIn(match.entry.text)
  if (own !== null) return own
  for (const text of around(subject, match, 40, 8).toReversed()) {
    if (/File "|^\s+at /.test(text)) continue
    const found = /listen|bind|port|start|serv|on :/i.test(text) ? portIn(text) : null
    if (found !== null) return found
  }
  const { spec } = subject.container
  const inWords = /(?:http\.server|--port|-p|:)[ =]?(\d{2,5})\b/.exec(
    [...(spec.command ?? []), ...(spec.args ?? [])].join(' '),
  )
  if (inWords?.[1]) return inWords[1]
  const ports = spec.ports ?? []
  return ports.length === 1 && ports[0]?.containerPort ? String(ports[0].containerPort) : null
}

const inUse: AppFamily = {
  id: 'app.port-in-use',
  hint: /in use|EADDRINUSE|already (?:running|allocated|bound|listening|have)|AddrInUse|Only one usage/i,
  rows: [
    { pattern: /\bEADDRINUSE\b(?:[^\n]{0,60}:(?<port>\d{1,5}))?/, weight: 18 },
    { pattern: /address (?:already )?in use/i, weight: 18 },
    { pattern: /[Pp]ort (?<port>\d{1,5}) (?:is |was )?(?:already )?(?:in use|being used|allocated|taken)/, weight: 18 },
    { pattern: /port (?<port>\d{1,5}) in use by/, weight: 18 },
    { pattern: /eaddrinuse/, weight: 17 },
    { pattern: /Connection in use: \('[^']{0,45}', (?<port>\d{1,5})\)/, weight: 18 },
    { pattern: /AddrInUse|Only one usage of each socket address/, weight: 17 },
    { pattern: /Something is already running on port (?<port>\d{1,5})/, weight: 18 },
    {
      pattern:
        /(?:already|another) [\w ]{0,30}?(?:server|process|postmaster|instance)[\w ]{0,20}(?:running|listening) on port[: ]{1,2}(?<port>\d{1,5})/i,
      weight: 15,
    },
  ],
  tell: (subject, match) => {
    const { view, container } = subject
    const port = wantedPort(subject, match)
    const what = port === null ? 'the port it wants' : `port ${code(port)}`
    const isHost = view.pod?.spec?.hostNetwork === true
    const node = view.pod?.spec?.nodeName
    const onNode = node === undefined ? 'its node' : `node ${code(node)}`
    const others = view.containers.filter(
      ({ name, kind, state, spec }) =>
        name !== container.name &&
        kind !== 'init' &&
        (state.running !== undefined || kind === 'sidecar') &&
        (port === null || new RegExp(`\\b${port}\\b`).test(JSON.stringify([spec.ports, spec.command, spec.args]))),
    )
    const declared = port === null ? [] : others
    const by = isHost
      ? ` on ${onNode}: with ${code('hostNetwork')} the port belongs to the node, and something there already listens on it`
      : declared[0]
        ? `: container ${code(declared[0].name)} of the same pod names it as well, and all containers of a pod share one network`
        : ': something in the same pod already listens on it – another container (they share one network) or an earlier process of its own'
    return logDraft(subject, match, {
      because: `${what} is already in use${by}. Its log says ${said(match)}.`,
      evidence: isHost
        ? [fact('spec.hostNetwork', 'true')]
        : declared.map(({ name }) => fact('spec.containers', `${code(name)} names port ${port}`)),
      fix: isHost
        ? [
            `Find what listens on ${port === null ? 'the port' : `port ${code(port)}`} of ${onNode} (${code('ss -ltnp')} there) and stop it, or give ${code(subject.name)} another port; one such pod per node is the most that fits.`,
          ]
        : [
            `Give ${code(subject.name)} another port (its setting and ${code('containerPort')}), or the other listener; within one process, look for a server that is started twice.`,
          ],
      avoid: ['Deleting the pod: the next one meets the same port.'],
    })
  },
}

/** Linux lets only root, or CAP_NET_BIND_SERVICE, take a port below 1024. */
const denied: AppFamily = {
  id: 'app.bind-denied',
  hint: /denied|\bEACCES\b/i,
  rows: [
    { pattern: /bind\(\) to \S{1,60}:(?<port>\d{1,4}) failed \(13: Permission denied\)/, weight: 19 },
    { pattern: /listen (?:tcp|udp)[46]? \S{0,60}:(?<port>\d{1,4}): bind: permission denied/, weight: 19 },
    {
      pattern: /listen EACCES[^\n]{0,60}:(?<port>\d{1,4})\b|EACCES: permission denied \S{0,45}:(?<other>\d{1,4})/,
      weight: 19,
    },
    {
      pattern:
        /error while attempting to bind on address \('[^']{0,45}', (?<port>\d{1,4})[^\n]{0,20}\): permission denied/i,
      weight: 19,
    },
    { pattern: /listening socket[^\n]{0,40}port (?<port>\d{1,4})[^\n]{0,10}permission denied/i, weight: 18 },
    { pattern: /make_sock: could not bind to address \S{1,60}:(?<port>\d{1,4})/, weight: 15, note: 'ask' },
    { pattern: /cannot bind (?:socket|UNIX socket|'[^']{1,60}')[^\n]{0,20}permission denied/i, weight: 19 },
    { pattern: /permission denied - bind\(2\) for "?[^"\s]{0,60}"?(?: port (?<port>\d{1,4}))?/i, weight: 19 },
    {
      pattern: /(?:could not|failed to|can't|cannot|unable to) (?:bind|listen)[^\n]{0,80}permission denied/i,
      weight: 18,
    },
    { pattern: /permission denied[^\n]{0,60}(?:\bbind(?:ing)?\b|make_sock)/i, weight: 16 },
    { pattern: /\bbind(?:ing)?\b[^\n]{0,100}permission denied/i, weight: 16 },
    { pattern: /BindException: Permission denied|SocketException: Permission denied/, weight: 18 },
    {
      pattern: /SocketException \(13\): Permission denied|PermissionError: \[Errno 13\] Permission denied$/,
      weight: 15,
      note: 'trace',
    },
  ],
  tell: (subject, match) => {
    const { row, entry } = match
    if (row.note === 'ask' && !/denied/i.test(entry.text)) return null
    // The exception alone may be about a file; its trace shows whether it was a bind.
    if (
      row.note === 'trace' &&
      !around(subject, match, 14, 14).some(text => /bind|ListenSocket|create_server|listen\(/i.test(text))
    ) {
      return null
    }
    const port = match.groups['port'] ?? match.groups['other'] ?? wantedPort(subject, match)
    if (port !== null && Number(port) >= 1024) return null
    const user = subject.container.spec.securityContext?.runAsUser ?? subject.view.pod?.spec?.securityContext?.runAsUser
    return logDraft(subject, match, {
      because: `it may not listen on ${port === null ? 'a port below 1024' : `port ${code(port)}`}: it runs as a non-root user${user ? ` (uid ${user})` : ''}, and ports below 1024 are for root. Its log says ${said(match)}.`,
      evidence: user ? [fact('securityContext.runAsUser', String(user))] : [],
      fix: [
        `Let ${code(subject.name)} listen on a port above 1024 (8080) and point ${code('containerPort')}, probes and the Service's ${code('targetPort')} at it; or add ${code('NET_BIND_SERVICE')} to its ${code('securityContext.capabilities.add')}.`,
      ],
      avoid: ['Running it as root only for the port.'],
    })
  },
}

const unassignable: AppFamily = {
  id: 'app.bad-config',
  hint: /assign|EADDRNOTAVAIL/i,
  rows: [
    {
      pattern:
        /(?:bind|listen)[^\n]{0,80}(?:cannot assign requested address|EADDRNOTAVAIL)|EADDRNOTAVAIL[^\n]{0,60}listen|BindException: Cannot assign/i,
      weight: 17,
    },
  ],
  tell: (subject, match) =>
    logDraft(subject, match, {
      because: `it is told to listen on an address that this pod does not have. Its log says ${said(match)}.`,
      fix: [
        `Set the listen address of ${code(subject.name)} to ${code('0.0.0.0')} (or to the pod's own IP, ${code('status.podIP')}).`,
      ],
    }),
}

export const ports: readonly AppFamily[] = [denied, inUse, unassignable]
