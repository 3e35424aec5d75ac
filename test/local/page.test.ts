import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebClient } from '@slack/web-api'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { slackAnswer } from '../../src/answer/slack-answer.ts'
import { demoCluster } from '../../src/local/demo-cluster.ts'
import type { LocalServerOptions } from '../../src/local/local-server.ts'
import { examples as diagnoses } from '../answer/diagnoses.ts'
import { loopbackApp } from './loopback-app.ts'
import { botToken, openLocal, signingSecret } from './open-local.ts'
import { desktop, executablePath, openBrowser, openPage as openPageOf, phone } from './open-page.ts'

const examples = [
  { label: 'shop/web · CrashLoopBackOff', text: '/podwhy shop/web-1' },
  { label: 'shop/api · Running', text: '/podwhy shop/api-1' },
]

/** An app that answers every command with one of the tests' diagnoses, as podwhy's poster does: head, then details. */
async function answeringApp(local: () => { apiUrl: string; channelId: string }, diagnosis: string) {
  const known = diagnoses[diagnosis]
  if (!known) throw new Error(`no diagnosis "${diagnosis}"`)
  const { root, thread } = slackAnswer(known)
  const app = await loopbackApp(signingSecret, async (command, response) => {
    if (!command['text']?.includes('/')) {
      response.end('Which namespace? `/podwhy NAMESPACE/POD`')
      return
    }
    response.end()
    const client = new WebClient(botToken, { slackApiUrl: local().apiUrl })
    const channel = local().channelId
    const { ts = '' } = await client.chat.postMessage({ channel, text: 'Looking at the pod…' })
    await client.chat.update({ channel, ts, ...root })
    for (const part of thread) await client.chat.postMessage({ channel, thread_ts: ts, ...part })
  })
  onTestFinished(() => app.close())
  return { eventsUrl: () => app.eventsUrl, replies: thread.length }
}

describe.skipIf(!existsSync(executablePath))(`the page, in a browser (skipped without ${executablePath})`, () => {
  let browser: Browser
  let screenshots: string
  beforeAll(async () => {
    browser = await openBrowser()
    screenshots = await mkdtemp(join(tmpdir(), 'podwhy-page-'))
  })
  afterAll(() => browser.close())

  /** Opens the page of a new local channel, with an app behind it. */
  async function openPage(
    context: BrowserContextOptions,
    diagnosis: string,
    options: Partial<LocalServerOptions> = {},
  ) {
    const app = await answeringApp(() => local, diagnosis)
    const local = await openLocal({ eventsUrl: app.eventsUrl, examples, ...options })
    const opened = await openPageOf(browser, context, local)
    return { ...opened, local, replies: app.replies, shoot: (name: string) => shoot(opened.page, name) }
  }
  const shoot = (page: Page, name: string) => page.screenshot({ path: join(screenshots, `${name}.png`) })

  test('shows the answer to a typed command, its thread beside it, and nothing from elsewhere', async () => {
    const { page, complaints, replies, shoot } = await openPage(desktop, 'sidecar-down')
    const input = page.getByLabel('Ask podwhy')
    await expect.poll(() => input.inputValue()).toBe('/podwhy ')
    await input.pressSequentially('shop/checkout-web-6b4c7bfdb6-thnrm')
    await input.press('Enter')

    const channel = page.getByRole('main')
    const thread = page.getByRole('region', { name: 'Thread' })
    await channel.getByText('metrics-agent').first().waitFor()
    await expect.poll(() => thread.locator('article').count()).toBe(replies + 1)
    await channel.getByText('Only visible to you').waitFor()
    await page.getByText('demo cluster made of recordings').waitFor()
    await expect.poll(() => input.inputValue()).toBe('/podwhy ')
    await shoot('desktop')
    await page.emulateMedia({ colorScheme: 'dark' })
    await shoot('desktop-dark')
    expect(complaints).toEqual([])
  })

  test('copies a command as it stands', async () => {
    const { page, complaints, shoot } = await openPage(desktop, 'init-wait', { examples: demoCluster().examples })
    await page.getByRole('button', { name: 'orders-api' }).click()
    const block = page.locator('.thread .preformatted', { hasText: 'kubectl' }).first()
    await block.getByRole('button', { name: 'Copy' }).click()
    await block.getByText('Copied').waitFor()
    await shoot('desktop-commands')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(await block.locator('pre').textContent())
    expect(copied).toMatch(/^kubectl [^\n]+$/)
    expect(complaints).toEqual([])
  })

  test('on a phone opens the thread over the channel, and goes back', async () => {
    const { page, complaints, replies, shoot } = await openPage(phone, 'init-wait')
    await shoot('phone-empty')
    await page.getByText('2 questions to try').click()
    await page.getByRole('button', { name: 'shop/web' }).click()
    const open = page.getByRole('button', { name: 'View thread' })
    await expect.poll(() => open.textContent()).toContain(String(replies))
    await shoot('phone')
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    expect(await width()).toBe(phone.viewport.width)

    await open.click()
    const thread = page.getByRole('region', { name: 'Thread' })
    await thread.waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('thread-heading')
    await shoot('phone-thread')
    const outside = await thread.evaluate(
      pane =>
        [...pane.querySelectorAll('.body, .body *')].filter(each => each.getBoundingClientRect().right > innerWidth)
          .length,
    )
    expect(outside).toBe(0)
    await thread.getByRole('button', { name: 'Copy' }).last().scrollIntoViewIfNeeded()
    await shoot('phone-thread-end')
    await page.goBack()
    await thread.waitFor({ state: 'detached' })
    await open.click()
    await page.getByRole('button', { name: 'Close' }).click()
    await thread.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('replies')
    expect(complaints).toEqual([])
  })

  test('shows what only the one who asked may see, and keeps all of it over a reload', async () => {
    const { page, complaints } = await openPage(desktop, 'healthy')
    const input = page.getByLabel('Ask podwhy')
    await input.fill('/podwhy web')
    await input.press('Enter')
    await page.getByRole('main').getByText('Which namespace?').waitFor()
    await page.reload()
    await page.getByRole('main').getByText('Which namespace?').waitFor()
    expect(await page.locator('.only-you').count()).toBe(2)
    expect(complaints).toEqual([])
  })

  test('opens a permalink at its thread', async () => {
    const { page, local, complaints } = await openPage(desktop, 'healthy')
    const client = new WebClient(botToken, { slackApiUrl: local.apiUrl })
    const channel = local.channelId
    const { ts = '' } = await client.chat.postMessage({ channel, text: 'the answer' })
    const newer = (await client.chat.postMessage({ channel, text: 'newer' })).ts ?? ''
    await client.chat.postMessage({ channel, thread_ts: newer, text: 'its reply' })
    const { permalink } = await client.chat.getPermalink({ channel, message_ts: ts })
    await client.chat.postEphemeral({ channel, user: 'U0YOU', text: `asked already: <${permalink}|see there>` })
    const threadRoot = page.locator('.thread article').first()
    await expect.poll(() => threadRoot.textContent()).toContain('newer')
    await page.getByRole('link', { name: 'see there' }).click()
    await expect.poll(() => threadRoot.textContent()).toContain('the answer')
    expect(page.url()).toBe(permalink)
    expect(complaints).toEqual([])
  })

  test('with a cluster behind it names the cluster, and hides the token from the address', async () => {
    const { page, complaints } = await openPage(desktop, 'healthy', {
      cluster: { name: 'prod-eu', demo: false },
      examples: [],
      accessToken: 'k3y-of-the-tests',
    })
    await page.getByText('prod-eu').waitFor()
    expect(page.url()).not.toContain('token')
    await page.reload()
    await page.getByText('prod-eu').waitFor()
    expect(complaints).toEqual([])
  })

  test('says when podwhy has gone', async () => {
    const { page, local } = await openPage(desktop, 'healthy')
    await local.close()
    await page.getByText('Connection lost').waitFor()
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByText('does not answer').waitFor()
  })
})
