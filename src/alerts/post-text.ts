import { z } from 'zod'

const text = z.string().nullish()
const textObject = z.object({ text: text.catch(null) })
const Block = z.object({
  text: z.union([textObject, z.string()]).nullish().catch(null),
  fields: z.array(textObject).nullish().catch(null),
})
const Attachment = z.object({
  title: text.catch(null),
  pretext: text.catch(null),
  text: text.catch(null),
  fallback: text.catch(null),
  color: text.catch(null),
  footer: text.catch(null),
  fields: z
    .array(z.object({ title: text.catch(null), value: text.catch(null) }))
    .nullish()
    .catch(null),
  blocks: z.array(Block).nullish().catch(null),
})

/** A message of Slack's, as far as alerts are looked for in it. */
export const PostedMessage = z.object({
  text: text.catch(null),
  bot_id: text.catch(null),
  username: text.catch(null),
  bot_profile: z
    .object({ name: text.catch(null) })
    .nullish()
    .catch(null),
  attachments: z.array(Attachment).nullish().catch(null),
  blocks: z.array(Block).nullish().catch(null),
})
export type PostedMessage = z.infer<typeof PostedMessage>
export type PostedAttachment = z.infer<typeof Attachment>

/** Slack's entities as characters, links as their labels, and code style off: labels are looked for in what is read. */
export const readable = (slackText: string): string =>
  slackText
    .replace(/<[^<>|]+\|([^<>]*)>/g, '$1')
    .replace(/<((?:https?|mailto):[^<>]*)>/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')

const textsOfBlocks = (blocks: readonly z.infer<typeof Block>[] | null | undefined): readonly string[] =>
  (blocks ?? []).flatMap(({ text: content, fields }) => [
    (typeof content === 'string' ? content : content?.text) ?? '',
    ...(fields ?? []).map(field => field.text ?? ''),
  ])

/** What an attachment says, its fields as `title: value` lines, without its fallback. */
export const textOfAttachment = ({ title, pretext, text: body, fields, blocks }: PostedAttachment): string =>
  [
    title,
    pretext,
    body,
    ...(fields ?? []).map(field => `${field.title ?? ''}: ${field.value ?? ''}`),
    ...textsOfBlocks(blocks),
  ]
    .filter(Boolean)
    .map(line => readable(line ?? ''))
    .join('\n')

/** What the message says itself, beside its attachments. */
export const textOfMessage = ({ text: body, blocks }: PostedMessage): string =>
  [...new Set([body ?? '', ...textsOfBlocks(blocks)])].filter(Boolean).map(readable).join('\n')
