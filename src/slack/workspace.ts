import type { SlackClient } from './slack-client.ts'
import { slackErrorCode } from './slack-error.ts'

/** Who podwhy is in Slack. */
export type Workspace = {
  teamId: string
  /** Enterprise Grid organisation the workspace belongs to. */
  enterpriseId: string | null
  botId: string
  botUserId: string
}

/** Where somebody asks from. Ids of events may be a workspace's (`T…`) or an organisation's (`E…`). */
export type Origin = { teamId: string; enterpriseId: string | null; isSharedChannel: boolean }

/** Asks Slack who the bot token belongs to. Throws one line that names the token when Slack refuses it. */
export async function workspaceOf(client: SlackClient): Promise<Workspace> {
  try {
    const { team_id, enterprise_id, bot_id, user_id } = await client.again.auth.test()
    if (team_id === undefined || bot_id === undefined || user_id === undefined) {
      throw new Error('SLACK_BOT_TOKEN is not a bot token: install the app and copy its Bot User OAuth Token (xoxb-…)')
    }
    return { teamId: team_id, enterpriseId: enterprise_id ?? null, botId: bot_id, botUserId: user_id }
  } catch (error) {
    const code = slackErrorCode(error)
    if (code === null) {
      if (error instanceof Error && error.message.startsWith('SLACK_BOT_TOKEN')) throw error
      const where = client.again.slackApiUrl
      const why = error instanceof Error ? error.message : String(error)
      throw new Error(`Slack cannot be reached at ${where} (${why}): check DNS, firewall and proxy`, { cause: error })
    }
    const advice = 'copy the Bot User OAuth Token (xoxb-…) from the app’s page "OAuth & Permissions"'
    throw new Error(`Slack refuses SLACK_BOT_TOKEN (${code}): ${advice}`, { cause: error })
  }
}

/**
 * Whether somebody belongs to the bot's own workspace, or to another workspace of the same Grid organisation. In a
 * Slack Connect channel Slack sends the workspace of the one who asks, not the one where the app is installed.
 */
export function isMember({ teamId, enterpriseId }: Origin, own: Workspace): boolean {
  if (teamId === own.teamId) return true
  return own.enterpriseId !== null && (teamId === own.enterpriseId || enterpriseId === own.enterpriseId)
}
