import type { ContainerRule, PodRule } from '../rule.ts'
import { containerCreate } from './container-create.ts'
import { containerLost } from './container-lost.ts'
import { containerStart } from './container-start.ts'
import { exits } from './exits.ts'
import { imagePull } from './image-pull.ts'
import { initMesh } from './init-mesh.ts'
import { initSilent } from './init-silent.ts'
import { initStep } from './init-step.ts'
import { initWait } from './init-wait.ts'
import { initWaitObject } from './init-wait-object.ts'
import { memory } from './memory.ts'
import { probes } from './probes.ts'

/** Rules about the pod as a whole; the first that speaks leads, because nothing in the containers can mend it. */
export const podRules: readonly PodRule[] = []

/** Rules about one container, most specific first; the first that speaks is that container's finding. */
export const containerRules: readonly ContainerRule[] = [
  imagePull,
  containerStart,
  containerCreate,
  containerLost,
  memory,
  probes,
  initMesh,
  initWaitObject,
  initWait,
  initStep,
  initSilent,
  exits,
]
