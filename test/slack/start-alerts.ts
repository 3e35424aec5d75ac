import { readFileSync } from 'node:fs'
import { clustersByName } from '../../src/alerts/alert-clusters.ts'
import { targetsOfPost } from '../../src/alerts/post.ts'
import type { ResolvedAlert } from '../../src/slack/posted-alert.ts'
import type { SlackAppOptions } from '../../src/slack/slack-app.ts'
import { parseTyped } from '../../src/typed-target.ts'
import { asEvent, messagePayload, postSigned } from '../fakes/slack-request.ts'
import type { SlackServer } from '../fakes/slack-server.ts'
import { startApp } from './start-app.ts'

const captured: { receiver: string; body: { attachments: { fallback?: string; title?: string }[] } }[] = JSON.parse(
  readFileSync(new URL('../alerts/slack-posts.json', import.meta.url), 'utf8'),
)

/** A captured post, as Slack hands it on. */
export const capturedPost = (receiver: string, title: string) => {
  const found = captured.find(
    each => each.receiver === receiver && each.body.attachments[0]?.fallback?.startsWith(title),
  )
  if (!found) throw new Error(`no captured post ${title}`)
  return { subtype: 'bot_message', bot_id: 'B0ALERTS', text: '', ...found.body }
}

/** Hands a message's event to the app. */
export const says = (url: string, event: object, envelope: object = {}) =>
  postSigned(url, asEvent(messagePayload(event, envelope)))

/** The app as `startApp` has it, with cluster `prod-eu` and alerts read; what became of them. */
export async function startAlerts(slack: SlackServer, options: Partial<SlackAppOptions> = {}) {
  const clusters = ['prod-eu']
  const counted: Record<string, number> = {}
  const resolved: ResolvedAlert[] = []
  const running = await startApp(slack, 'http', {
    parseTarget: text => parseTyped(text, { clusters }),
    alertOf: message => targetsOfPost(message, clustersByName(clusters)),
    countAlerts: (outcome, number) => {
      counted[outcome] = (counted[outcome] ?? 0) + number
    },
    resolved: async alerts => void resolved.push(...alerts),
    ...options,
  })
  return { ...running, counted, resolved }
}
