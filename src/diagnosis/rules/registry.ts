import type { ContainerRule, PodRule } from '../rule.ts'
import { admission } from './admission.ts'
import { dnsOutOfMemory } from './app-dns.ts'
import { appLogs } from './app-logs.ts'
import { nativeExit } from './app-native.ts'
import { containerCreate } from './container-create.ts'
import { containerLost } from './container-lost.ts'
import { containerStart } from './container-start.ts'
import { evict } from './evict.ts'
import { exits } from './exits.ts'
import { imagePull } from './image-pull.ts'
import { initMesh } from './init-mesh.ts'
import { initSilent } from './init-silent.ts'
import { initStep } from './init-step.ts'
import { initWait } from './init-wait.ts'
import { initWaitObject } from './init-wait-object.ts'
import { jobLimits } from './job-limits.ts'
import { killedWorkers } from './killed-workers.ts'
import { memory } from './memory.ts'
import { node, podCidr } from './node.ts'
import { podDeadline } from './pod-deadline.ts'
import { probeMigration } from './probe-migration.ts'
import { probes } from './probes.ts'
import { rejectedByKubelet } from './rejected-by-kubelet.ts'
import { sandbox } from './sandbox.ts'
import { scheduling } from './scheduling.ts'
import { terminate } from './terminate.ts'
import { volumeMount } from './volume-mount.ts'

/** Rules about the pod as a whole; the first that speaks leads, because nothing in the containers can mend it. */
export const podRules: readonly PodRule[] = [
  admission,
  jobLimits,
  terminate,
  evict,
  podDeadline,
  node,
  rejectedByKubelet,
  scheduling,
  sandbox,
  volumeMount,
  podCidr,
]

/** Rules about one container, most specific first; the first that speaks is that container's finding. */
export const containerRules: readonly ContainerRule[] = [
  imagePull,
  containerStart,
  containerCreate,
  containerLost,
  dnsOutOfMemory,
  memory,
  probeMigration,
  killedWorkers,
  probes,
  initMesh,
  initWaitObject,
  initWait,
  initStep,
  initSilent,
  appLogs,
  nativeExit,
  exits,
]
