import { randomBytes } from 'node:crypto'
import { identity } from './identity.ts'

export interface SlashCommand {
  /** With its slash: `/podwhy`. */
  readonly command: string
  /** What follows the command. */
  readonly text: string
  readonly responseUrl: string
}

/** The form of a slash command. https://docs.slack.dev/interactivity/implementing-slash-commands */
export const commandForm = ({ command, text, responseUrl }: SlashCommand): Readonly<Record<string, string>> => ({
  token: 'unused',
  team_id: identity.team.id,
  team_domain: identity.team.domain,
  channel_id: identity.channel.id,
  channel_name: identity.channel.name,
  user_id: identity.you.id,
  user_name: identity.you.name,
  command,
  text,
  api_app_id: identity.bot.appId,
  is_enterprise_install: 'false',
  response_url: responseUrl,
  trigger_id: triggerId(),
})

export const triggerId = (): string => `${Date.now()}.${randomBytes(8).toString('hex')}`

/** Splits a typed line into command and text; without a slash it is all text of `command`. */
export function asCommand(line: string, command: string): { command: string; text: string } {
  const typed = line.trim()
  if (!typed.startsWith('/')) return { command, text: typed }
  const [name = '', text = ''] = /^(\S+)\s*(.*)$/s.exec(typed)?.slice(1) ?? []
  return { command: name, text }
}
