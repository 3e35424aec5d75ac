import { admission } from './catalogue/admission.ts'
import { app } from './catalogue/app.ts'
import type { Causes } from './catalogue/cause.ts'
import { create } from './catalogue/create.ts'
import { evict } from './catalogue/evict.ts'
import { image } from './catalogue/image.ts'
import { init } from './catalogue/init.ts'
import { limits } from './catalogue/limits.ts'
import { node } from './catalogue/node.ts'
import { oom } from './catalogue/oom.ts'
import { probe } from './catalogue/probe.ts'
import { sandbox } from './catalogue/sandbox.ts'
import { scheduling } from './catalogue/scheduling.ts'
import { terminate } from './catalogue/terminate.ts'
import { verdicts } from './catalogue/verdicts.ts'
import { volume } from './catalogue/volume.ts'

/** Causes that belong together, with a heading. */
export interface Family {
  readonly title: string
  readonly causes: Causes
}

/** Every cause a diagnosis can name, in the order in which a pod meets them. */
export const catalogue: readonly Family[] = [
  { title: 'No pod is made, or its node refuses it', causes: admission },
  { title: 'The pod has no node', causes: scheduling },
  { title: 'The node is the problem', causes: node },
  { title: 'The sandbox cannot be made', causes: sandbox },
  { title: 'A volume cannot be attached, mounted or used', causes: volume },
  { title: 'The image cannot be pulled', causes: image },
  { title: 'A container cannot be created or started', causes: create },
  { title: 'An init container or sidecar blocks or breaks the pod', causes: init },
  { title: 'The program ends by itself', causes: app },
  { title: 'Killed for memory', causes: oom },
  { title: 'A probe restarts or hides the program', causes: probe },
  { title: 'Evicted', causes: evict },
  { title: 'A time or retry limit of its own', causes: limits },
  { title: 'The pod does not go away', causes: terminate },
  { title: 'Nothing is wrong', causes: verdicts },
]
