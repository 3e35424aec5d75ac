import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { LocalServer } from '../../src/local/local-server.ts'

/** A real browser; tests that need it are skipped where it is missing. */
export const executablePath = '/usr/bin/chromium'
export const desktop = { viewport: { width: 1280, height: 800 } }
export const phone = { viewport: { width: 375, height: 740 }, isMobile: true, hasTouch: true }

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath, args: ['--no-sandbox'] })

/** Opens the page of a local channel. `complaints`: what the browser complained about, or fetched from elsewhere. */
export async function openPage(
  browser: Browser,
  context: BrowserContextOptions,
  local: LocalServer,
): Promise<{ page: Page; complaints: readonly string[] }> {
  const opened = await browser.newContext({ ...context, locale: 'en-GB', timezoneId: 'Europe/Berlin' })
  onTestFinished(() => opened.close())
  await opened.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await opened.newPage()
  page.setDefaultTimeout(5_000)
  const complaints: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  page.on('request', request => {
    if (!request.url().startsWith(new URL(local.url).origin) && !request.url().startsWith('data:'))
      complaints.push(`fetched ${request.url()}`)
  })
  await page.goto(local.url)
  // It is there once the page hears the channel.
  await page.getByLabel('Ask podwhy').waitFor()
  return { page, complaints }
}
