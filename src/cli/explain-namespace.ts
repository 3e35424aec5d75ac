import type { Triage } from '../answer/triage.ts'
import { slackTriage } from '../answer/triage-answer.ts'
import { jsonTriage } from '../answer/triage-json.ts'
import { textTriage } from '../answer/triage-text.ts'
import type { NamespaceSnapshot } from '../diagnosis/namespace-snapshot.ts'
import { triageNamespace } from '../worker/triaging.ts'
import type { ExitStatus, Terminal } from './terminal.ts'

type Output = 'text' | 'json' | 'slack'

const rendered = (triage: Triage, output: Output, color: boolean, width: number | undefined): string => {
  if (output === 'json')
    return jsonTriage(triage)
      .map(answer => `${JSON.stringify(answer)}\n`)
      .join('')
  if (output === 'slack') return `${JSON.stringify(slackTriage(triage, { cluster: null }))}\n`
  return textTriage(triage, width === undefined ? { color } : { color, width })
}

/** Explains all pods of a namespace that are not well; 0 where all are. As JSON one line for each of them, none where all are well. */
export const explainNamespace = async (
  read: NamespaceSnapshot,
  { output, color }: { readonly output: Output; readonly color: boolean },
  terminal: Pick<Terminal, 'print' | 'isTerminal' | 'columns'>,
): Promise<ExitStatus> => {
  const triage = await triageNamespace(read)
  await terminal.print(rendered(triage, output, color, terminal.isTerminal ? terminal.columns : undefined))
  return triage.unwell > 0 || triage.groups.length > 0 ? 1 : 0
}
