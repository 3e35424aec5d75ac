import type { JsonObject } from '../../../src/diagnosis/snapshot.ts'
import { ago } from '../builders.ts'

export interface NodeParts {
  readonly name?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly taints?: readonly JsonObject[]
  readonly unschedulable?: boolean
  /** The Ready condition: status and message. */
  readonly ready?: readonly [status: string, message: string]
  readonly allocatable?: JsonObject
  readonly podCIDR?: string
}

/** A node that is ready and takes pods, unless told otherwise. */
export const aNode = (parts: NodeParts = {}): JsonObject => {
  const {
    name = 'node-a',
    labels = {},
    taints,
    unschedulable,
    ready = ['True', 'kubelet is posting ready status'],
  } = parts
  return {
    metadata: { name, labels: { 'kubernetes.io/os': 'linux', ...labels } },
    spec: {
      ...(taints ? { taints } : {}),
      ...(unschedulable ? { unschedulable } : {}),
      ...(parts.podCIDR ? { podCIDR: parts.podCIDR } : {}),
    },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: ready[0],
          reason:
            ready[0] === 'Unknown' ? 'NodeStatusUnknown' : ready[0] === 'True' ? 'KubeletReady' : 'KubeletNotReady',
          message: ready[1],
          lastTransitionTime: ago(120),
        },
      ],
      allocatable: { cpu: '4', memory: '8Gi', pods: '110', ...parts.allocatable },
    },
  }
}

export const STOPPED: readonly [string, string] = ['Unknown', 'Kubelet stopped posting node status.']
export const NO_NETWORK: readonly [string, string] = [
  'False',
  'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:cni plugin not initialized',
]
