import { expect, onTestFinished, test } from 'vitest'
import { demoCluster } from '../../src/local/demo-cluster.ts'
import type { LocalServer } from '../../src/local/local-server.ts'
import { openLocal } from './open-local.ts'

/** The events of one connection, parsed, as they come. */
async function* eventsOf(local: LocalServer): AsyncGenerator<unknown, void> {
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  const { body } = await fetch(new URL('/local/events', local.url), { signal: closing.signal })
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice('data: '.length))
  }
}

test('a page first hears the whole channel, then every change', async () => {
  const { examples } = demoCluster()
  const local = await openLocal({ keep: 2, examples })
  const { channel } = local.station.slack
  const before = channel.add({ from: 'podwhy', text: 'before' })
  const events = eventsOf(local)
  const next = async () => (await events.next()).value
  expect(await next()).toMatchObject({
    cluster: { name: 'demo', demo: true },
    command: '/podwhy',
    examples,
    messages: [before],
  })
  const after = channel.add({ from: 'podwhy', text: 'after' })
  expect(await next()).toEqual({ put: after })
  const changed = channel.change(after.ts, { text: 'changed' })
  expect(await next()).toEqual({ put: changed })
  channel.add({ from: 'podwhy', text: 'one too many' })
  expect(await next()).toMatchObject({ put: { text: 'one too many' } })
  expect(await next()).toEqual({ dropped: before.ts })
})

test('closing the server ends the streams', async () => {
  const local = await openLocal()
  const events = eventsOf(local)
  await events.next()
  const end = events.next().catch(() => ({ done: true }))
  await local.close()
  expect(await end).toMatchObject({ done: true })
})
