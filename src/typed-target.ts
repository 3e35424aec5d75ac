import { kubectlTarget } from './kubectl-target.ts'
import { linkTarget } from './link-target.ts'
import type { Target } from './queue/job.ts'
import { parseTarget, type TargetContext } from './target.ts'

/** As `parseTarget`, and reads pasted lines of kubectl and addresses of consoles as well. Throws TargetError. */
export const parseTyped = (text: string, context: TargetContext = {}): Target =>
  parseTarget(linkTarget(text) ?? kubectlTarget(text) ?? text, context)
