import { readClusterWide } from '../commands.ts'
import { type ContainerRule, code, fact } from '../rule.ts'
import { type AppFamily, logDraft, opening, said } from './app-log-draft.ts'

const FIX = [
  "Point the kubelet's `--resolv-conf` (`resolvConf`) at `/run/systemd/resolve/resolv.conf` on the nodes, or name real upstream servers in the `forward` line of the Corefile (ConfigMap `coredns`): with `nameserver 127.0.0.53` in the node's resolv.conf it forwards to itself.",
]
const AVOID = ['Only raising its memory, or removing the `loop` plugin: the queries then go round unseen.']

const loop: AppFamily = {
  id: 'app.dns-loop',
  hint: /loop/i,
  rows: [{ pattern: /plugin\/loop: Loop|Loop \(\S{1,80} -> \S{1,40}\) detected for zone/, weight: 20 }],
  tell: (subject, match) =>
    logDraft(subject, match, {
      because: `the DNS server forwards queries to itself (its upstream comes from the node's resolv.conf, often 127.0.0.53), and stops when it sees its own query come back. Its log says ${said(match)}.`,
      fix: FIX,
      avoid: AVOID,
    }),
}

/** Before the `loop` plugin, the same mistake ended in memory: each query asked itself until the limit. */
export const dnsOutOfMemory: ContainerRule = subject => {
  const { container } = subject
  const isDns = /(?:^|\/)(?:coredns|k8s-dns|kube-?dns)[^/]*$/i.test((container.spec.image ?? '').replace(/[:@].*$/, ''))
  if (!isDns || container.ended?.terminated.reason !== 'OOMKilled') return null
  const seconds = container.ended.ranSeconds
  if (seconds === null || seconds > 300 || (subject.moment !== 'looping' && subject.moment !== 'failed')) return null
  return {
    id: 'app.dns-loop',
    confidence: 'likely',
    container: subject.name,
    summary: `${opening(subject)}: the DNS server is ${code('OOMKilled')} ${Math.round(seconds)} s after its start. Likely it forwards queries to itself – 127.0.0.53 (systemd-resolved) in the node's resolv.conf is a loop – and they pile up until the limit.`,
    evidence: [
      fact(`${container.ended.path}.reason`, `${code('OOMKilled')} after ${Math.round(seconds)} s`),
      fact(`${container.specPath}.image`, code(container.spec.image ?? '')),
    ],
    fix: FIX,
    avoid: AVOID,
    commands: [
      readClusterWide('The Corefile', '-n', subject.view.namespace, 'get', 'configmap', 'coredns', '-o', 'yaml'),
    ],
  }
}

export const dns: readonly AppFamily[] = [loop]
