import { code, type Draft, fact, quote } from './rule.ts'
import type { View } from './view.ts'

/** The containers are ready, but a condition that the pod waits for (`spec.readinessGates`) is not True; null: all are. */
export const unmetGate = (view: View): Draft | null => {
  if (view.condition('ContainersReady')?.status !== 'True') return null
  const gates = (view.pod?.spec?.readinessGates ?? []).flatMap(({ conditionType }) => conditionType ?? [])
  const unmet = gates.find(type => view.condition(type)?.status !== 'True')
  if (unmet === undefined) return null
  const condition = view.condition(unmet)
  const says = condition?.message ?? condition?.reason
  const state = condition
    ? `is ${code(condition.status ?? 'Unknown')}${says ? ` (${quote(says, 160)})` : ''}`
    : 'was never set'
  return {
    id: 'probe.other',
    confidence: 'certain',
    summary: `All containers are ready, but the pod is not: its readiness gate ${code(unmet)} ${state}. Its Services send it no traffic until a controller outside the pod sets that condition to True.`,
    evidence: [
      fact('spec.readinessGates', code(unmet)),
      fact(`status.conditions[${unmet}]`, condition ? `${condition.status}, ${says ?? 'without a reason'}` : 'not set'),
    ],
    fix: [
      `Look at the controller that owns ${code(unmet)} (for a load balancer: its target group and health check) and at its log; the program itself is not at fault.`,
    ],
  }
}
