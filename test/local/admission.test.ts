import { describe, expect, test } from 'vitest'
import { NotLoopback } from '../../src/local/local-server.ts'
import { openLocal, send } from './open-local.ts'

const json = { 'content-type': 'application/json' }
const body = JSON.stringify({ text: '/podwhy shop/web' })

describe('which pages may ask', () => {
  test('serves the page under each name of loopback, with the right port', async () => {
    const { url } = await openLocal()
    const { port } = new URL(url)
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect(await send(url, { headers: { host } })).toMatchObject({ status: 200 })
  })

  test.each(['evil.example', 'evil.example:PORT', 'localhost', 'localhost:1', 'localhost.evil.example:PORT'])(
    'refuses the host name "%s" in one line, so a rebound DNS name reads nothing',
    async name => {
      const { url } = await openLocal()
      const host = name.replace('PORT', new URL(url).port)
      for (const path of ['', 'local/events', 'local/api/auth.test', 'local/respond/x', 'healthz']) {
        const refused = await send(url + path, { headers: { host } })
        expect(refused.status, path).toBe(403)
        expect(refused.body.trimEnd().split('\n'), path).toHaveLength(1)
      }
    },
  )

  test('refuses a command that another page sends, and takes the one of its own page', async () => {
    const local = await openLocal()
    const { host } = new URL(local.url)
    const command = `${local.url}local/command`
    for (const origin of ['http://evil.example', 'null', 'http://localhost:1', `https://${host}`])
      expect(await send(command, { method: 'POST', headers: { ...json, origin }, body })).toMatchObject({ status: 403 })
    expect(local.station.slack.channel.messages()).toEqual([])
    const own = { ...json, origin: `http://${host}` }
    expect(await send(command, { method: 'POST', headers: own, body })).toMatchObject({ status: 200 })
  })

  test('takes commands as application/json only, which no form of another page can send', async () => {
    const local = await openLocal()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { 'content-type': type }
      expect(await send(`${local.url}local/command`, { method: 'POST', headers, body })).toMatchObject({ status: 415 })
    }
    expect(await send(`${local.url}local/command`, { method: 'POST', body })).toMatchObject({ status: 415 })
    expect(local.station.slack.channel.messages()).toEqual([])
  })

  test('answers bad bodies with one line', async () => {
    const { url } = await openLocal()
    const post = (text: string) => send(`${url}local/command`, { method: 'POST', headers: json, body: text })
    expect(await post('{')).toMatchObject({ status: 400 })
    expect(await post('{"text":""}')).toMatchObject({ status: 400 })
    expect(await post(JSON.stringify({ text: 'x'.repeat(20_000) }))).toMatchObject({ status: 413 })
  })

  test('listens on loopback only', async () => {
    await expect(openLocal({ host: '0.0.0.0' })).rejects.toThrow(NotLoopback)
  })
})

describe('the token, where a real cluster is asked', () => {
  const accessToken = 'k3y-of-the-tests'

  test('the printed URL opens the page, and its cookie everything else', async () => {
    const { url } = await openLocal({ accessToken })
    const opened = await send(url)
    expect(opened.status).toBe(200)
    const cookie = String(opened.headers['set-cookie'])
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/)
    const headers = { cookie: `other=1; ${cookie.split(';')[0]}` }
    const { origin } = new URL(url)
    expect(await send(origin, { headers })).toMatchObject({ status: 200 })
    const asked = await send(`${origin}/local/command`, { method: 'POST', headers: { ...headers, ...json }, body })
    expect(asked.status).toBe(200)
  })

  test.each([
    ['nothing', '', {}],
    ['a wrong token', '?token=guess', {}],
    ['a wrong cookie', '', { cookie: 'podwhy_PORT=guess' }],
    ['the cookie of another port', '', { cookie: `podwhy_1=${accessToken}` }],
  ])('with %s everything is 401, in one line that names the printed URL', async (_what, query, headers) => {
    const local = await openLocal({ accessToken })
    const { origin, port } = new URL(local.url)
    const sent = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, value.replace('PORT', port)]))
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/local/page.js'],
      ['GET', '/local/events'],
      ['POST', '/local/command'],
    ] as const) {
      const refused = await send(`${origin}${path}${query}`, { method, headers: { ...sent, ...json } })
      expect(refused).toMatchObject({ status: 401, body: expect.stringMatching(/printed at start.*\n$/) })
    }
    expect(local.station.slack.channel.messages()).toEqual([])
  })

  test('the demo is open: no token, no cookie', async () => {
    const { url } = await openLocal()
    expect(new URL(url).search).toBe('')
    expect((await send(url)).headers['set-cookie']).toBeUndefined()
  })
})

describe('other paths', () => {
  test('are forwarded, once the host is right', async () => {
    const { url } = await openLocal({
      accessToken: 'k',
      forward: (request, response) => {
        if (request.url !== '/healthz') return false
        response.end('fine')
        return true
      },
    })
    const { origin } = new URL(url)
    expect(await send(`${origin}/healthz`)).toMatchObject({ status: 200, body: 'fine' })
    expect(await send(`${origin}/healthz`, { headers: { host: 'evil.example' } })).toMatchObject({ status: 403 })
    expect(await send(`${origin}/nothing`)).toMatchObject({ status: 404 })
  })

  test('the page allows itself nothing from elsewhere', async () => {
    const { url } = await openLocal()
    const policy = String((await send(url)).headers['content-security-policy'])
    expect(policy).toContain("default-src 'self'")
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/)
  })
})
