import { atNode } from '../at-node.ts'
import { change, readLog } from '../commands.ts'
import { type ContainerRule, code, type Draft, fact, lineFact, quote } from '../rule.ts'
import type { Subject } from '../subject.ts'

/** Init containers that redirect the pod's traffic, by the names their injectors give them. */
const REDIRECTS = /^(?:istio-init|linkerd-init|kuma-init|consul-connect-inject-init|osm-init|cilium-init|proxy-init)$/
/** Those that check whether the redirection is in place. */
const VALIDATES = /^(?:istio-validation|linkerd-network-validator)$/
/** Sidecars that the redirected traffic goes to. */
const PROXIES =
  /^(?:istio-proxy|linkerd-proxy|envoy|envoy-sidecar|kuma-sidecar|consul-dataplane|consul-connect-envoy-sidecar)$/

const DENIED =
  /Operation not permitted|Permission denied|must be root|permission denied|can't initialize iptables|Fatal: iptables/i
/** iptables' words where the kernel of the node lacks what it asks for. */
const NO_TABLE =
  /unable to initialize table|[Tt]able does not exist|can't initialize ip6?tables table[^\n]{0,40}(?:does not exist|No such file)|No chain\/target\/match by that name|Extension \w+ revision \d+ not supported|modprobe: /
const UNREACHED = /connection refused|timed? ?out|i\/o timeout|no route to host|connection reset/i

const last = (subject: Subject, pattern: RegExp) => subject.lines.slice(-60).findLast(({ text }) => pattern.test(text))

const recreate = (subject: Subject) =>
  change(
    subject.view,
    'Recreate the pod, so that its network is set up anew',
    'delete',
    'pod',
    subject.view.pod?.metadata?.name ?? '',
  )

const validation = (subject: Subject): Draft | null => {
  const line = last(subject, UNREACHED) ?? last(subject, /validat|fail/i)
  if (!line) return null
  return {
    id: 'init.mesh-redirect',
    confidence: 'likely',
    container: subject.name,
    summary: `Init container ${code(subject.name)} finds that this pod's traffic is not redirected: ${quote(line.text, 140)}. The iptables rules were not set up by the mesh's CNI plugin (${subject.name === 'istio-validation' ? 'istio-cni' : 'linkerd-cni'}) when the pod's network was made, and no restart of a container makes up for that.`,
    evidence: [
      lineFact(subject, line),
      fact(`${subject.container.statusPath}.restartCount`, String(subject.container.restartCount)),
    ],
    fix: [
      'Delete the pod (recreate the pod): its network is then set up anew, with the CNI plugin in place.',
      'Keep pods off nodes where the mesh CNI is not ready yet: its repair controller, or a start-up taint.',
    ],
    commands: [readLog(subject), recreate(subject)],
  }
}

const noTable = (subject: Subject, line: NonNullable<ReturnType<typeof last>>): Draft => ({
  id: 'init.mesh-redirect',
  confidence: 'likely',
  container: subject.name,
  summary: `Init container ${code(subject.name)} of the service mesh cannot set up the traffic redirection: ${quote(line.text, 140)}. The kernel of ${atNode(subject.view, 'the node')} does not offer what its iptables asks for: likely the module is not loaded, or the node works with the other kind (nft or legacy).`,
  evidence: [
    lineFact(subject, line),
    fact(`${subject.container.ended?.path ?? subject.container.statusPath}.exitCode`, String(subject.exitCode)),
  ],
  fix: [
    `Load the iptables modules (${code('iptable_nat')}, ${code('xt_REDIRECT')} and the like) on ${atNode(subject.view, 'the node')}, and at its boot; or use the mesh's CNI plugin, or its image for the other kind of iptables.`,
  ],
  avoid: ['Turning injection off for the pod: its traffic then bypasses the policies of the mesh.'],
  commands: [readLog(subject)],
})

const redirection = (subject: Subject): Draft | null => {
  const missing = last(subject, NO_TABLE)
  if (missing && !DENIED.test(missing.text)) return noTable(subject, missing)
  const line = last(subject, DENIED)
  if (!line) return missing ? noTable(subject, missing) : null
  const { securityContext } = subject.container.spec
  return {
    id: 'init.mesh-redirect',
    confidence: 'certain',
    container: subject.name,
    summary: `Init container ${code(subject.name)} of the service mesh may not set up the traffic redirection: ${quote(line.text, 140)}. It needs the capabilities ${code('NET_ADMIN')} and ${code('NET_RAW')}${securityContext?.capabilities?.drop?.includes('ALL') ? `, and its securityContext drops ${code('ALL')}` : ''}.`,
    evidence: [
      lineFact(subject, line),
      fact(
        `${subject.container.specPath}.securityContext.capabilities`,
        quote(JSON.stringify(securityContext?.capabilities ?? 'not set')),
      ),
    ],
    fix: [
      `Give ${code(subject.name)} ${code('NET_ADMIN')} and ${code('NET_RAW')} (in the mesh's injection settings), or use the mesh's CNI plugin, which needs no such init container.`,
      'Check that PodSecurity or a policy of the namespace does not strip them.',
    ],
    avoid: ['Turning injection off for the pod: its traffic then bypasses the policies of the mesh.'],
    commands: [readLog(subject)],
  }
}

/** After the redirection, an init container's own traffic goes to a proxy that starts only later. */
const cutOff = (subject: Subject): Draft | null => {
  const { containers } = subject.view
  const index = containers.findIndex(({ name }) => name === subject.name)
  const redirect = containers
    .slice(0, index)
    .find(({ kind, name, state }) => kind === 'init' && REDIRECTS.test(name) && state.terminated?.exitCode === 0)
  const proxy = containers.find(({ name }) => PROXIES.test(name))
  if (!redirect || !proxy || proxy.state.running || proxy.kind === 'sidecar') return null
  const line = last(subject, UNREACHED)
  if (!line) return null
  const isVault = /^vault-agent-init$/.test(subject.name)
  return {
    id: 'init.mesh-redirect',
    confidence: 'likely',
    container: subject.name,
    summary: `Init container ${code(subject.name)} gets no connection (${quote(line.text, 140)}): ${code(redirect.name)} has already redirected the pod's traffic to ${code(proxy.name)}, and that sidecar proxy is not running during init.`,
    evidence: [
      lineFact(subject, line),
      fact(`status.initContainerStatuses`, `${code(redirect.name)} completed before it`),
      fact(proxy.statusPath, `${code(proxy.name)} has not started`),
    ],
    fix: [
      isVault
        ? `Annotate the pod template ${code('vault.hashicorp.com/agent-init-first: "true"')}, so that the Vault agent runs before the redirection.`
        : `Let ${code(subject.name)} run before ${code(redirect.name)}, or exclude its target port from the redirection.`,
      'Or run the proxy as a native sidecar (restartPolicy Always), which starts before ordinary init containers.',
    ],
    commands: [readLog(subject)],
  }
}

/** Service meshes and injectors: redirection refused, redirection missing, redirection too early. */
export const initMesh: ContainerRule = subject => {
  if (!subject.isInit || (subject.moment !== 'looping' && subject.moment !== 'failed' && subject.moment !== 'running'))
    return null
  if (subject.moment !== 'running' && VALIDATES.test(subject.name)) return validation(subject)
  if (subject.moment !== 'running' && REDIRECTS.test(subject.name)) return redirection(subject)
  return cutOff(subject)
}
