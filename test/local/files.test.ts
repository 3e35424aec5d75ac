import { WebClient } from '@slack/web-api'
import { expect, test } from 'vitest'
import { openFiles } from '../../src/local/files.ts'
import type { LocalServerOptions } from '../../src/local/local-server.ts'
import { botToken, openLocal, send } from './open-local.ts'

async function open(options: Partial<LocalServerOptions> = {}) {
  const local = await openLocal(options)
  const client = new WebClient(botToken, { slackApiUrl: local.apiUrl, retryConfig: { retries: 0 } })
  const url = (id: string) => new URL(`/local/files/${id}`, local.url).href
  return { local, client, channel: local.channelId, url }
}
const content = 'first line\n<script>alert(1)</script> größer\n'

test('a file that web-api uploads stands in its thread and can be read as text', async () => {
  const { local, client, channel, url } = await open()
  const thread_ts = (await client.chat.postMessage({ channel, text: 'root' })).ts ?? ''
  await client.filesUploadV2({ channel_id: channel, thread_ts, content, filename: 'web (1).log', title: 'Log of web' })
  const shared = { name: 'web (1).log', title: 'Log of web', size: Buffer.byteLength(content) }
  const { messages } = await client.conversations.replies({ channel, ts: thread_ts, include_all_metadata: true })
  expect(messages?.[1]).toMatchObject({ files: [shared], thread_ts })
  expect(messages?.[1]).not.toHaveProperty('metadata')
  const [file] = local.station.slack.channel.messages().at(-1)?.files ?? []
  const read = await send(url(file?.id ?? ''))
  expect(read).toMatchObject({ status: 200, body: content })
  expect(read.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': "inline; filename*=UTF-8''web%20%281%29.log",
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
  })
})

test('a form is taken too, and nothing twice', async () => {
  const { client, channel } = await open()
  const { upload_url = '', file_id = '' } = await client.files.getUploadURLExternal({ filename: 'a.txt', length: 3 })
  const form = new FormData()
  form.set('file', new Blob(['abc']), 'a.txt')
  expect((await fetch(upload_url, { method: 'POST', body: form })).status).toBe(200)
  expect((await fetch(upload_url, { method: 'POST', body: 'abc' })).status).toBe(400)
  const share = () => client.files.completeUploadExternal({ files: [{ id: file_id }], channel_id: channel })
  await share()
  await expect(share()).rejects.toMatchObject({ data: { error: 'file_not_found' } })
})

test('a file cannot be read before it is shared, nor without the page’s token, nor by a guess', async () => {
  const { client, channel, url } = await open({ accessToken: 'k3y' })
  const cookie = { headers: { cookie: `podwhy_${new URL(url('')).port}=k3y` } }
  const { upload_url = '', file_id = '' } = await client.files.getUploadURLExternal({ filename: 'a.txt', length: 3 })
  await fetch(upload_url, { method: 'POST', body: 'abc' })
  expect(await send(url(file_id), cookie)).toMatchObject({ status: 404 })
  await client.files.completeUploadExternal({ files: [{ id: file_id }], channel_id: channel })
  expect(await send(url(file_id), cookie)).toMatchObject({ status: 200, body: 'abc' })
  expect(await send(url(file_id))).toMatchObject({ status: 401 })
  expect(await send(url('F0GUESS'), cookie)).toMatchObject({ status: 404 })
  expect((await fetch(upload_url.replace(/[^/]+$/, 'guess'), { method: 'POST', body: 'abc' })).status).toBe(400)
})

test.each([
  ['longer than was said', 2],
  ['shorter', 4],
])('a content that is %s is not taken', async (_what, length) => {
  const { client } = await open()
  const { upload_url = '' } = await client.files.getUploadURLExternal({ filename: 'a.txt', length })
  expect((await fetch(upload_url, { method: 'POST', body: 'abc' })).status).toBe(400)
})

test('only so many bytes are kept, the newest', () => {
  const files = openFiles({ keepBytes: 5 })
  const ids = ['aaa', 'bb', 'cc'].map(text => {
    const { id, uploadId } = files.begin(text, text.length)
    files.take(uploadId, Buffer.from(text))
    return files.complete([{ id }])?.[0]?.id ?? ''
  })
  expect(ids.map(id => files.read(id)?.content.toString())).toEqual([undefined, 'bb', 'cc'])
})
