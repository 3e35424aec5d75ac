/** Who is who in the local workspace: ids of Slack's shapes. */
export const identity = {
  team: { id: 'T0LOCAL', domain: 'local' },
  channel: { id: 'C0LOCAL', name: 'podwhy-local' },
  /** Between the app and whoever sits before the page. */
  directMessages: { id: 'D0LOCAL' },
  /** Whoever sits before the page. */
  you: { id: 'U0YOU', name: 'you' },
  bot: { userId: 'U0PODWHY', id: 'B0PODWHY', appId: 'A0PODWHY', homeId: 'V0HOME', name: 'podwhy' },
} as const
