import { secondsBetween } from '../containers.ts'
import type { Evidence } from '../diagnosis.ts'
import { specHome } from '../owner.ts'
import { formatMemory, parseQuantity } from '../quantity.ts'
import { code, type Draft, eventFact, fact, type PodRule, quote } from '../rule.ts'
import { nodeText, onlyContainer, successor } from '../successor.ts'
import type { View } from '../view.ts'
import { describeNode } from './unscheduled.ts'

const USE = /Container (\S+) was using (\S+?), (?:request is (\S+?), has larger|which exceeds its request of (\S+?)\.)/g

interface Use {
  readonly container: string
  readonly used: string
  readonly request: string
}

/** Who used what (eviction/helpers.go; the second wording is of up to 1.26), the one furthest above its request first. */
const usesIn = (message: string): readonly Use[] => {
  const over = ({ used, request }: Use): number => (parseQuantity(used) ?? 0) - (parseQuantity(request) ?? 0)
  return [...message.matchAll(USE)]
    .map(([, container = '', used = '', request, old]) => ({ container, used, request: request ?? old ?? '0' }))
    .sort((a, b) => over(b) - over(a))
}

/** The container that was ended with the pod, where there is no doubt which. */
const endedOne = (view: View): string | null => {
  const ended = view.containers.filter(
    ({ kind, ended: end }) => kind === 'app' && (end?.terminated.exitCode ?? 0) !== 0,
  )
  return ended.length === 1 ? (ended[0]?.name ?? null) : onlyContainer(view)
}

const readable = (quantity: string): string => {
  const bytes = parseQuantity(quantity)
  const text = bytes === null ? quantity : formatMemory(bytes)
  return text === quantity || bytes === 0 ? quantity : `${quantity} (${text})`
}

const said = (view: View): readonly Evidence[] => {
  const { status } = view.pod ?? {}
  const event = view.events.findLast(({ reason }) => reason === 'Evicted' || reason === 'Preempting')
  return [
    fact('status.reason', code(status?.reason ?? '')),
    fact('status.message', quote(status?.message ?? '', 500)),
    ...(event ? [eventFact(event, 'the kubelet evicted the pod')] : []),
  ]
}

/** What people take an exit code for. */
const notOom = (view: View): string =>
  view.containers.some(({ ended }) => ended?.terminated.exitCode === 137)
    ? ' Exit code 137 is not an OOM kill here: it is the kubelet ending the pod.'
    : ''

/** The pod broke a storage limit of its own; the node's disk need not be full. */
const storageLimit = (view: View, message: string): Draft => {
  const byContainer = /Container (\S+) exceeded its local ephemeral storage limit "([^"]+)"/.exec(message)
  const byVolume = /EmptyDir volume "([^"]+)" exceeds the limit "([^"]+)"/.exec(message)
  const total = /total limit of containers (\S+?)\.? *$/.exec(message)?.[1]
  const mounter = byVolume
    ? view.containers.find(({ spec }) => spec.volumeMounts?.some(({ name }) => name === byVolume[1]))?.name
    : undefined
  const what = byContainer
    ? `container ${code(byContainer[1] ?? '')} wrote more than its ephemeral-storage limit of ${code(byContainer[2] ?? '')}`
    : byVolume
      ? `emptyDir volume ${code(byVolume[1] ?? '')} grew over its ${code('sizeLimit')} of ${code(byVolume[2] ?? '')}`
      : `its containers wrote more than their ephemeral-storage limits allow together, ${code(total ?? '')}`
  const limits = view.containers.flatMap(({ spec, specPath }) => {
    const limit = spec.resources?.limits?.['ephemeral-storage']
    return limit === undefined ? [] : [fact(`${specPath}.resources.limits["ephemeral-storage"]`, code(limit))]
  })
  const lost = view.containers.some(({ ended }) => ended?.terminated.reason === 'ContainerStatusUnknown')
  return {
    id: 'evict.pod-storage-limit',
    confidence: 'certain',
    container: byContainer?.[1] ?? mounter ?? endedOne(view),
    summary: `The pod was evicted because ${what}.${notOom(view)}${lost ? ` ${code('ContainerStatusUnknown')} only says that the container was gone when the kubelet looked.` : ''}`,
    evidence: [...said(view), ...limits],
    fix: [
      `Write less to the local disk (or to a volume of its own), or raise ${byVolume ? code('emptyDir.sizeLimit') : code('resources.limits["ephemeral-storage"]')} in ${specHome(view)}. ${successor(view)}`,
    ],
    avoid: ['Changing memory limits: memory has nothing to do with it.'],
    verify: ['The new pod stays below the limit: `kubectl describe pod` shows no Evicted event.'],
  }
}

const RESOURCE: Readonly<Record<string, string>> = {
  memory: 'evict.node-memory',
  'ephemeral-storage': 'evict.node-disk',
  inodes: 'evict.node-disk',
  MemoryPressure: 'evict.node-memory',
  DiskPressure: 'evict.node-disk',
}

const isSmall = (used: string): boolean => (parseQuantity(used) ?? 0) < 100 * 2 ** 20

const nodeLow = (view: View, resource: string, message: string): Draft => {
  const id = RESOURCE[resource] ?? 'evict.other'
  const node = view.pod?.spec?.nodeName ?? ''
  const uses = usesIn(message)
  const [most] = uses
  const isRefused = /had condition/.test(message)
  const short = { MemoryPressure: 'memory', DiskPressure: 'disk' }[resource] ?? resource
  const threshold = /Threshold quantity: (\S+?), available: (\S+?)\. /.exec(`${message} `)
  const isVictim = id === 'evict.node-disk' && (!most || isSmall(most.used))
  const isMemory = id === 'evict.node-memory'
  const who = most
    ? ` Container ${code(most.container)} was using ${code(readable(most.used))}, with a request of ${most.request}.`
    : ''
  const victim = isVictim
    ? ` ${most ? 'That is little: the pod' : 'The pod'} is most likely a victim, with the node disk filled by something else (images, logs, other pods)${most ? ' – the figure may be old, though' : ''}.`
    : ''
  const field = isMemory ? 'memory' : 'ephemeral-storage'
  return {
    id,
    confidence: 'certain',
    container: most?.container ?? endedOne(view),
    summary: `The kubelet ${isRefused ? 'refused' : 'evicted'} the pod because ${nodeText(view)} was ${isRefused ? `under ${resource}` : `low on ${short}`}${threshold ? ` (${threshold[2]} left, threshold ${threshold[1]})` : ''}.${who}${victim}${notOom(view)}`,
    evidence: [
      ...said(view),
      ...uses.map(use => fact('status.message', `${code(use.container)} used ${use.used}, request ${use.request}`)),
    ],
    fix: [
      isMemory
        ? `Give ${most ? code(most.container) : 'its containers'} a ${code('resources.requests.memory')} near what it uses${most ? ` (${readable(most.used)}, request now ${most.request})` : ''} and a limit in ${specHome(view)}, or give the node more memory. ${successor(view)}`
        : id === 'evict.node-disk'
          ? `Free disk on ${nodeText(view)} (images, logs, emptyDirs) or give it a bigger one; give ${most ? code(most.container) : 'the containers'} an ${code('ephemeral-storage')} request in ${specHome(view)}, so that it is not the first to go. ${successor(view)}`
          : `Find what uses up ${code(resource)} on ${nodeText(view)}. ${successor(view)}`,
    ],
    avoid: [`Only starting the pod again: the next one is evicted too while the node is short of ${field}.`],
    verify: ['The node leaves its pressure condition, and the new pod stays.'],
    commands: node === '' ? [] : [describeNode(node)],
  }
}

/** The kubelet ended the pod for the node's sake, or for a limit of the pod's own. */
export const evict: PodRule = view => {
  const { status, spec } = view.pod ?? {}
  const reason = status?.reason
  if (status?.phase !== 'Failed' || (reason !== 'Evicted' && reason !== 'Preempting')) return null
  const message = status.message ?? ''
  if (/ephemeral storage limit|ephemeral local storage usage|EmptyDir volume/.test(message))
    return storageLimit(view, message)
  const low = /low on resource: \[?([A-Za-z-]+)/.exec(message)?.[1]
  const pressure = /had condition: \[([A-Za-z]+)/.exec(message)?.[1]
  if (low ?? pressure) return nodeLow(view, low ?? pressure ?? '', message)
  const node = spec?.nodeName ?? ''
  const at = view.condition('DisruptionTarget')?.lastTransitionTime
  const ago = secondsBetween(at, view.takenAt)
  return {
    id: 'evict.other',
    confidence: 'certain',
    container: endedOne(view),
    summary:
      reason === 'Preempting'
        ? `The kubelet of ${nodeText(view)} ended the pod to make room for a critical pod of higher priority (preempted).`
        : `The pod was evicted from ${nodeText(view)}: ${quote(message, 240)}.`,
    evidence: [...said(view), ...(ago === null ? [] : [fact('status.conditions[DisruptionTarget]', at ?? '')])],
    fix: [`${successor(view)} Add capacity or give the workload a PriorityClass if it must not be the one to go.`],
    verify: ['Another pod of the same owner is Running and ready.'],
    commands: node === '' ? [] : [describeNode(node)],
  }
}
