import { ownerOf } from './owner.ts'
import type { View } from './view.ts'

/** What becomes of a pod that is over: sentence for a fix. */
export const successor = (view: View): string => {
  const owner = ownerOf(view)
  const name = view.pod?.metadata?.name
  if (!owner)
    return `Nothing makes ${name === undefined ? 'the pod' : `pod \`${name}\``} again: delete it and create it anew.`
  if (owner.kind === 'Job') return `Job \`${owner.name}\` makes a new pod if its backoffLimit allows one.`
  return `${owner.kind} \`${owner.name}\` makes a new pod by itself; this one can be deleted.`
}

/** The only container of a pod that has no other; null where there are several. */
export const onlyContainer = (view: View): string | null => {
  const real = view.containers.filter(({ kind }) => kind !== 'ephemeral')
  return real.length === 1 ? (real[0]?.name ?? null) : null
}

/** `node `a``, or `its node` where the pod does not tell. */
export const nodeText = (view: View): string => {
  const name = view.pod?.spec?.nodeName
  return name ? `node \`${name}\`` : 'its node'
}
