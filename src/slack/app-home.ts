import type { SlackEventMiddlewareArgs } from '@slack/bolt'
import { homeView } from '../answer/home-view.ts'
import type { Listening } from './listeners.ts'
import { isMember } from './workspace.ts'

/** Shows the App Home to who opens it. Nothing is lost where that fails: it is made anew at each opening. */
export async function onHomeOpened(
  { event, body }: SlackEventMiddlewareArgs<'app_home_opened'>,
  { own, desk, poster, openIncidents }: Listening,
): Promise<void> {
  if (event.tab !== 'home') return
  const enterpriseId = body.enterprise_id ?? null
  if (!isMember({ teamId: body.team_id, enterpriseId, isSharedChannel: false }, own)) return
  const publish = async () => {
    const rows = (await openIncidents()).filter(({ namespace }) => desk.isAllowed(namespace))
    const at = new Date(desk.now()).toISOString()
    await poster.publishHome(event.user, homeView(rows, { at, command: desk.command }))
  }
  publish().catch((err: unknown) => desk.log.warn({ err, user: event.user }, 'the App Home could not be shown'))
}
