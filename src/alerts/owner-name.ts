import type { Target } from '../queue/job.ts'

// The characters of generated names: k8s.io/apimachinery/pkg/util/rand.
const generated = /-[bcdf-hj-np-tv-z2456789]{5}$/
const templateHash = /-[bcdf-hj-np-tv-z2456789]{6,10}$/

/** Whether a pod's name ends as controllers make it: `web-7df5687c7-mgfcr`, `migrate-x2x9k`. */
export const isGeneratedName = (name: string): boolean => generated.test(name)

/** `web` of `web-7df5687c7-mgfcr`, `migrate-x2x9k` and `web-0`: the name of what made the pod, as far as it shows. */
export const ownerName = (pod: string): string => {
  if (!generated.test(pod)) return pod.replace(/-\d+$/, '')
  return pod.replace(generated, '').replace(templateHash, '')
}

/** The same for targets whose pods one owner has made. */
export const ownerKey = ({ cluster, namespace, kind, name }: Target): string =>
  JSON.stringify([cluster, namespace, kind === null || kind === 'Pod' ? ownerName(name) : name])
