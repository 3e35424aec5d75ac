import { code } from './rule.ts'
import type { View } from './view.ts'

/** Words about `the node` or `this node`, with the name of the pod's node at the first of them. */
export const atNode = (view: View, text: string): string => {
  const name = view.pod?.spec?.nodeName
  return name ? text.replace(/\b(?:the|this) node(?=[ ,.;:(]|$)(?! resolver)/, `node ${code(name)}`) : text
}
