import { lintSource } from '@secretlint/core'
import { secretLintProfiler } from '@secretlint/profiler'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { MARKER, type Range } from './ranges.ts'

/**
 * Rules of the preset that are not asked: they report a whole URL, key block or document where podwhy's own detectors
 * find the credential inside it – and the last lets a comment in a log switch detection off.
 */
const LEFT_OUT = ['basicauth', 'database-connection-string', 'privatekey', 'gcp', 'filter-comments']

const descriptors = rules
  .filter(rule => !LEFT_OUT.some(name => rule.meta.id.endsWith(`-rule-${name}`)))
  .map(rule => ({ id: rule.meta.id, rule }))

// The profiler keeps every mark for the life of the process, and reads all of them again for each new one.
secretLintProfiler.mark = () => undefined

/** What secretlint's recommended preset finds in a text that podwhy's own detectors have been through already. */
export const preset = async (text: string): Promise<Range[]> => {
  const { messages } = await lintSource({
    source: { filePath: 'text', content: text, contentType: 'text' },
    options: { config: { rules: descriptors }, noPhysicFilePath: true },
  })
  return messages
    .map(({ range: [start, end] }) => ({ start, end }))
    .filter(({ start, end }) => !text.slice(start, end).includes(MARKER))
}
