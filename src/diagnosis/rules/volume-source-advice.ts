import type { Command } from '../diagnosis.ts'
import { code } from '../rule.ts'
import { get, type MountAdvice, type MountFacts } from './mount-facts.ts'

/** Names only: the values of Secrets are never read. */
const listKind = (facts: MountFacts, kind: string): Command =>
  kind === 'Secret' || kind === 'ConfigMap' || kind === 'PersistentVolumeClaim'
    ? get(facts, `The ${kind}s of the namespace (names only)`, kind.toLowerCase(), '-o', 'name')
    : get(facts, `The ${kind} objects of the namespace`, kind.toLowerCase())

/** The object that a volume is made of does not exist. */
export const missingObject = (facts: MountFacts): MountAdvice => {
  const { kind, name } = facts.source ?? { kind: 'object', name: '' }
  const writer =
    kind === 'Secret'
      ? ' If something else should write it – a Certificate and its issuer, an external-secrets or sealed-secrets controller, a Job that runs first –, look there.'
      : ''
  const job = facts.job
    ? ` The ${code(facts.job)} Job bears its name and may be what makes it: see whether its pods ran to their end.`
    : ''
  return {
    what: `volume ${code(facts.volume)} needs ${kind} ${code(name)}, which does not exist in namespace ${code(facts.namespace)}`,
    fix: [
      `Create ${kind} ${code(name)} in namespace ${code(facts.namespace)} (one of another namespace does not count), or correct the name in ${facts.home}.${job || writer}`,
    ],
    avoid: ['Marking the source `optional`: the program would start without its configuration.'],
    commands: [
      listKind(facts, kind),
      ...(facts.job ? [get(facts, `Whether Job ${facts.job} has done its work`, 'job', facts.job)] : []),
    ],
  }
}

/** It exists without the key. */
export const missingKey = (facts: MountFacts, key: string): MountAdvice => {
  const what = facts.source ? `${facts.source.kind} ${code(facts.source.name)}` : 'its source'
  return {
    what: `volume ${code(facts.volume)} asks for key ${code(key)} of ${what}, which has no such key`,
    fix: [
      `Add key ${code(key)} to ${what}, or correct ${code('items[].key')} of volume ${code(facts.volume)} in ${facts.home}.`,
    ],
    commands: facts.source
      ? [
          {
            purpose: `The keys of ${facts.source.kind} ${facts.source.name} (sizes only)`,
            argv: [
              'kubectl',
              '-n',
              facts.namespace,
              'describe',
              facts.source.kind === 'Secret' ? 'secret' : 'configmap',
              facts.source.name,
            ],
            changes: false,
          },
        ]
      : [],
  }
}
