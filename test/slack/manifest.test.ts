import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SHORTCUT } from '../../src/slack/slack-app.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const socket = parse(read('manifest.yml'))
const http = parse(read('deploy/manifest-http.yml'))
const scopes: string[] = socket.oauth_config.scopes.bot

/** The bot scopes each Web API method needs. https://docs.slack.dev/reference/methods */
const scopesOf: Record<string, string[]> = {
  'auth.test': [],
  'chat.getPermalink': [],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.update': ['chat:write'],
  // Public and private channels; podwhy writes to no direct messages.
  'conversations.history': ['channels:history', 'groups:history'],
  'conversations.replies': ['channels:history', 'groups:history'],
  'files.completeUploadExternal': ['files:write'],
  'files.getUploadURLExternal': ['files:write'],
  'reactions.add': ['reactions:write'],
  'reactions.remove': ['reactions:write'],
  'views.publish': [],
}
/** What needs a scope without calling a method: the command and the shortcut, and events. */
const withoutMethod = ['commands', 'app_mentions:read']

const sources = readdirSync(join(root, 'src/slack')).map(file => read(`src/slack/${file}`))
const called = new Set(
  sources.flatMap(source =>
    [...source.matchAll(/\.((?:auth|chat|conversations|files|reactions|users|views)(?:\.\w+)+)\(/g)].map(
      ([, method]) => method ?? '',
    ),
  ),
)

describe('the manifest', () => {
  it('grants what each called method needs', () => {
    expect(called).toContain('chat.postMessage')
    for (const method of called) {
      expect(scopesOf, `the scopes of ${method} are not known here`).toHaveProperty([method])
      for (const scope of scopesOf[method] ?? []) expect(scopes).toContain(scope)
    }
  })

  it('grants nothing more', () => {
    const needed = [...called].flatMap(method => scopesOf[method] ?? [])
    expect(new Set(scopes)).toEqual(new Set([...needed, ...withoutMethod]))
  })

  it('has the command, the shortcut and the events that podwhy listens to', () => {
    expect(socket.features.slash_commands).toMatchObject([{ command: '/podwhy' }])
    expect(socket.features.shortcuts).toMatchObject([{ callback_id: SHORTCUT, type: 'message' }])
    expect(socket.settings.event_subscriptions.bot_events).toEqual([
      ...['app_home_opened', 'app_mention', 'message.channels', 'message.groups'],
    ])
    expect(socket.features.app_home.home_tab_enabled).toBe(true)
    expect(socket.settings.interactivity.is_enabled).toBe(true)
  })

  it('keeps the lengths Slack allows', () => {
    const { description, long_description, name } = socket.display_information
    expect(name.length).toBeLessThanOrEqual(35)
    expect(description.length).toBeLessThanOrEqual(140)
    expect(long_description.length).toBeGreaterThanOrEqual(175)
    expect(long_description.length).toBeLessThanOrEqual(4_000)
    expect(socket.features.shortcuts[0].name.length).toBeLessThanOrEqual(24)
  })
})

describe('its HTTP twin', () => {
  const url = 'https://podwhy.example.com/slack/events'

  it('is the same app, reached at one URL', () => {
    const twin = structuredClone(socket)
    twin.settings.socket_mode_enabled = false
    twin.settings.event_subscriptions.request_url = url
    twin.settings.interactivity.request_url = url
    for (const command of twin.features.slash_commands) command.url = url
    expect(http).toEqual(twin)
  })

  it('has the placeholder as often as its comment says to replace it, and nowhere else a host', () => {
    expect(read('deploy/manifest-http.yml').split(url)).toHaveLength(4)
  })
})
