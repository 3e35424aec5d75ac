import type { ContainerRule, PodRule } from '../rule.ts'
import { containerCreate } from './container-create.ts'
import { containerStart } from './container-start.ts'
import { exits } from './exits.ts'
import { imagePull } from './image-pull.ts'
import { memory } from './memory.ts'
import { probes } from './probes.ts'

/** Rules about the pod as a whole; the first that speaks leads, because nothing in the containers can mend it. */
export const podRules: readonly PodRule[] = []

/** Rules about one container, most specific first; the first that speaks is that container's finding. */
export const containerRules: readonly ContainerRule[] = [
  imagePull,
  containerStart,
  containerCreate,
  memory,
  probes,
  exits,
]
