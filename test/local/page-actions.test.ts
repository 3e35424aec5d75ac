import { existsSync } from 'node:fs'
import { WebClient } from '@slack/web-api'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type LoopbackApp, loopbackApp, type Payload } from './loopback-app.ts'
import { botToken, openLocal, signingSecret } from './open-local.ts'
import { desktop, executablePath, openBrowser, openPage, phone } from './open-page.ts'

const plain = (text: string) => ({ type: 'plain_text', text })
const button = (actionId: string, text: string) => ({
  ...{ type: 'button', action_id: actionId, text: plain(text), value: `value of ${actionId}` },
})
const textBlock = (text: string) => ({
  ...{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] },
})
const options = (...labels: string[]) => labels.map((label, at) => ({ text: plain(label), value: String(at) }))
const actions = {
  type: 'actions',
  elements: [
    button('refresh', 'Refresh'),
    button('mute', 'Mute 1 h'),
    { type: 'overflow', action_id: 'commands', options: options('Describe the pod', 'Events', 'Events of the owner') },
  ],
}
const choose = {
  type: 'actions',
  elements: [
    { type: 'static_select', action_id: 'choose', placeholder: plain('Explain one …'), options: options('web', 'api') },
  ],
}
const markup = '<img src=x onerror=alert(1)>&lt;b&gt;*bold* <!channel>'
const table = (...rows: string[][]) => ({
  type: 'table',
  column_settings: [{}, { align: 'right' }, { is_wrapped: true }],
  rows: rows.map(row => row.map(text => ({ type: 'raw_text', text }))),
})

describe.skipIf(!existsSync(executablePath))(`answers, in a browser (skipped without ${executablePath})`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  async function open(context: object = desktop, onPayload?: (payload: Payload) => Promise<void>) {
    const app: LoopbackApp = await loopbackApp(signingSecret, undefined, async (payload, response) => {
      response.end()
      await onPayload?.(payload)
    })
    onTestFinished(() => app.close())
    const local = await openLocal({ eventsUrl: () => app.eventsUrl })
    const client = new WebClient(botToken, { slackApiUrl: local.apiUrl })
    const channel = local.channelId
    const post = async (blocks: object[], fields: object = {}): Promise<string> => {
      const answer = await client.apiCall('chat.postMessage', { channel, text: 'an answer', blocks, ...fields })
      return (answer as { ts?: string }).ts ?? ''
    }
    const { page, complaints } = await openPage(browser, context, local)
    return { app, local, client, channel, post, page, complaints, main: page.getByRole('main') }
  }

  test('a button is pressed by keyboard, and what comes of it is shown: an edit in place, and a word to you', async () => {
    const { app, client, channel, post, page, main, complaints } = await open()
    const ts = await post([actions])
    const refresh = main.getByRole('button', { name: 'Refresh' })
    await main.getByRole('region', { name: 'Messages' }).focus()
    await page.keyboard.press('Tab')
    expect(await refresh.evaluate(element => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => app.interactions.length).toBe(1)
    expect(app.interactions[0]).toMatchObject({
      container: { message_ts: ts },
      actions: [{ action_id: 'refresh', value: 'value of refresh' }],
    })
    await client.chat.update({ channel, ts, text: 'edited', blocks: [textBlock('edited in place'), actions] as never })
    await client.chat.postEphemeral({ channel, user: 'U0YOU', text: 'Looked again.' })
    await main.getByText('edited in place').waitFor()
    await main.getByText('Looked again.').waitFor()
    expect(await main.locator('article').count()).toBe(2)
    expect(await refresh.evaluate(element => element === document.activeElement)).toBe(true)
    expect(complaints).toEqual([])
  })

  test('a reply to a press comes into view at the end of a long thread', async () => {
    const { app, post, page, complaints } = await open()
    const thread_ts = await post([actions])
    for (let part = 0; part < 20; part++) await post([textBlock(`part ${part}`)], { thread_ts })
    const thread = page.getByRole('region', { name: 'Thread' })
    await thread.getByText('part 19').waitFor()
    const scrolled = () => thread.locator('.scroll').evaluate(({ scrollTop }) => scrollTop)
    expect(await scrolled()).toBe(0)
    await thread.getByRole('button', { name: 'Refresh' }).click()
    await expect.poll(() => app.interactions.length).toBe(1)
    await post([textBlock('what was asked for')], { thread_ts })
    await thread.getByText('what was asked for').waitFor()
    await expect.poll(scrolled).toBeGreaterThan(0)
    expect(complaints).toEqual([])
  })

  test('a word to you in the channel is shown in the thread too, where that covers the channel', async () => {
    const { app, client, channel, post, page, complaints } = await open(phone)
    await post([], { thread_ts: await post([actions]) })
    await page.getByRole('button', { name: 'View thread' }).click()
    const thread = page.getByRole('region', { name: 'Thread' })
    await thread.getByRole('button', { name: 'Refresh' }).click()
    await expect.poll(() => app.interactions.length).toBe(1)
    await client.chat.postEphemeral({ channel, user: 'U0YOU', text: 'Somebody just did.' })
    await thread.getByText('Somebody just did.').waitFor()
    expect(complaints).toEqual([])
  })

  test('an overflow menu is operated by keyboard, and Escape closes it and not the thread', async () => {
    const { app, post, page, complaints } = await open()
    await post([], { thread_ts: await post([actions]) })
    const thread = page.getByRole('region', { name: 'Thread' })
    const more = thread.getByRole('button', { name: 'More' })
    await more.press('Enter')
    const item = (name: string) => thread.getByRole('menuitem', { name, exact: true })
    const hasFocus = (name: string) => item(name).evaluate(element => element === document.activeElement)
    await expect.poll(() => hasFocus('Describe the pod')).toBe(true)
    await page.keyboard.press('ArrowUp')
    expect(await hasFocus('Events of the owner')).toBe(true)
    await page.keyboard.press('e')
    expect(await hasFocus('Events')).toBe(true)
    await page.keyboard.press('Escape')
    await item('Events').waitFor({ state: 'detached' })
    await thread.waitFor()
    expect(await more.evaluate(element => element === document.activeElement)).toBe(true)
    await more.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => app.interactions).toMatchObject([{ actions: [{ selected_option: { value: '1' } }] }])
    await item('Events').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('a menu of choices is opened and closed by mouse, and sends the one that is clicked', async () => {
    const { app, post, main, complaints } = await open()
    await post([choose])
    const menu = main.getByRole('button', { name: 'Explain one …' })
    const option = main.getByRole('menuitem', { name: 'api' })
    await menu.click()
    await menu.click()
    expect(await option.count()).toBe(0)
    await menu.click()
    await main.locator('.byline').first().click()
    await option.waitFor({ state: 'detached' })
    await menu.click()
    await option.click()
    await expect.poll(() => app.interactions).toMatchObject([{ actions: [{ selected_option: { value: '1' } }] }])
    expect(complaints).toEqual([])
  })

  test('a press that podwhy does not take says so beside the button', async () => {
    const { app, client, channel, post, main } = await open()
    const ts = await post([actions])
    await app.close()
    await main.getByRole('button', { name: 'Mute 1 h' }).click()
    await main.getByRole('alert').getByText('http_client_error').waitFor()
    expect(await main.getByRole('button', { name: 'Mute 1 h' }).getAttribute('aria-busy')).toBe('false')
    await client.chat.update({ channel, ts, text: 'without buttons', blocks: [] })
    await main.getByText('without buttons').waitFor()
  })

  test('a table has a header and scrolls by itself, also on a phone', async () => {
    const { post, page, main, complaints } = await open(phone)
    const row = ['orders-api-664c9d84c7-q84wv', '0/1 · 4 (65s ago)', 'waits for the Service orders-postgres']
    await post([table(['Pod', 'Ready', 'Cause'], row), choose])
    const headers = await main.getByRole('columnheader').allTextContents()
    expect(headers).toEqual(['Pod', 'Ready', 'Cause'])
    expect(await main.getByRole('cell').allTextContents()).toEqual(row)
    expect(
      await main
        .getByRole('cell')
        .nth(1)
        .evaluate(cell => getComputedStyle(cell).textAlign),
    ).toBe('right')
    const region = main.getByRole('region', { name: 'Table of 1 row' })
    const [wide, narrow] = await region.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])
    expect(wide).toBeGreaterThan(narrow ?? 0)
    await main.getByRole('button', { name: 'Explain one …' }).click()
    const right = await main.getByRole('menu').evaluate(menu => menu.getBoundingClientRect().right)
    expect(right).toBeLessThanOrEqual(phone.viewport.width)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.viewport.width)
    expect(complaints).toEqual([])
  })

  test('an answer without a thread gets the room of the thread before', async () => {
    const { post, page, main, complaints } = await open()
    await post([], { thread_ts: await post([actions]) })
    const thread = page.getByRole('region', { name: 'Thread' })
    await thread.waitFor()
    await post([table(['Pod', 'Ready', 'Cause'], ['web-1', '0/1', 'a cause'])])
    await main.getByText('a cause').waitFor()
    await thread.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('a file in a thread shows its name and size, and opens as text', async () => {
    const { client, channel, post, page, complaints } = await open()
    const thread_ts = await post([actions])
    const content = `${'a line\n'.repeat(200)}<script>alert(1)</script>\n`
    await client.filesUploadV2({ channel_id: channel, thread_ts, content, filename: 'web.log', title: 'Log of web' })
    const link = page.getByRole('region', { name: 'Thread' }).getByRole('link', { name: 'Log of web' })
    await expect.poll(() => link.textContent()).toContain('web.log · 1.4 kB')
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await opened.getByText('<script>alert(1)</script>').waitFor()
    expect(await opened.locator('script').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('a reaction stands under its message until it is taken away', async () => {
    const { client, channel, post, main, complaints } = await open()
    const timestamp = await post([actions])
    await client.reactions.add({ channel, timestamp, name: 'white_check_mark' })
    const reactions = main.getByRole('list', { name: 'Reactions' })
    await expect.poll(() => reactions.textContent()).toContain('✅')
    await client.reactions.remove({ channel, timestamp, name: 'white_check_mark' })
    await reactions.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('the Home asks podwhy for itself, is pressed, and leads back to the channel', async () => {
    const { app, client, post, page, main, complaints } = await open(desktop, async payload => {
      if ((payload['event'] as { type?: string } | undefined)?.type !== 'app_home_opened') return
      const view = { type: 'home', blocks: [{ type: 'header', text: plain('Open now') }, actions] }
      await client.views.publish({ user_id: 'U0YOU', view: view as never })
    })
    await page.getByRole('link', { name: 'Home' }).click()
    await main.getByText('Open now').waitFor()
    expect(await page.getByRole('link', { name: 'Home' }).getAttribute('aria-current')).toBe('page')
    await main.getByRole('button', { name: 'Mute 1 h' }).click()
    await expect.poll(() => app.interactions).toMatchObject([{ container: { type: 'view' } }])
    await post([], { text: 'an answer that comes meanwhile' })
    await page.reload()
    await main.getByText('Open now').waitFor()
    await expect.poll(() => app.events.length).toBe(2)
    await page.getByRole('link', { name: '# podwhy-local' }).click()
    await main.getByText('an answer that comes meanwhile').waitFor()
    expect(complaints).toEqual([])
  })

  test('what answers say is shown as text only', async () => {
    const { client, channel, post, page, main, complaints } = await open()
    const dialogs: string[] = []
    page.on('dialog', dialog => {
      dialogs.push(dialog.message())
      return dialog.dismiss()
    })
    const element = { ...button('a', markup), value: markup }
    const select = { type: 'static_select', action_id: 'b', placeholder: plain(markup), options: options(markup) }
    const ts = await post([{ type: 'actions', elements: [element, select] }, table([markup, 'x'], [markup, 'x'])])
    await client.filesUploadV2({ channel_id: channel, thread_ts: ts, content: 'x', filename: markup, title: markup })
    await main.getByRole('button', { name: markup, exact: true }).first().waitFor()
    await main.locator('.select').click()
    await main.getByRole('menuitem', { name: markup, exact: true }).waitFor()
    expect(await main.getByRole('cell').first().textContent()).toBe(markup)
    await page.locator('.thread .file-title', { hasText: markup }).waitFor()
    expect(await page.locator('#app img, #app script').count()).toBe(0)
    expect([...dialogs, ...complaints]).toEqual([])
  })
})
