import { describe, expect, it } from 'vitest'
import { watchEvents } from '../../src/cluster/watch-events.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const line = (type: string, name: string) => `${JSON.stringify({ type, object: { metadata: { name } } })}\n`

const read = async (...chunks: readonly Uint8Array[]) => {
  const names: string[] = []
  let size = 0
  for await (const { type, object } of watchEvents(chunks, count => {
    size += count
  }))
    names.push(`${type} ${(object['metadata'] as { name: string }).name}`)
  return { names, size }
}

describe('the events of a watch', () => {
  it('come whole, wherever the stream is cut into pieces, within a character as well', async () => {
    const all = bytes(line('ADDED', 'ä-web') + line('MODIFIED', 'ö') + line('DELETED', 'x'))
    const expected = { names: ['ADDED ä-web', 'MODIFIED ö', 'DELETED x'], size: all.length }
    for (const size of [1, 2, 3, 7, 50, all.length]) {
      const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
        all.subarray(at * size, (at + 1) * size),
      )
      expect(await read(...chunks)).toEqual(expected)
    }
  })

  it('are none for types of a later release and for empty lines', async () => {
    const { names } = await read(bytes(`\n${line('LATER', 'a')}${line('BOOKMARK', 'b')}`))
    expect(names).toEqual(['BOOKMARK b'])
  })

  it('end with an ERROR event, whose code and message are the error’s', async () => {
    const error = JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old' } })
    await expect(read(bytes(`${error}\n`))).rejects.toMatchObject({
      name: 'StatusError',
      status: 410,
      message: 'too old',
    })
    await expect(read(bytes(error))).rejects.toMatchObject({ status: 410 })
  })

  it.each(['no json\n', '[]\n', '{"type":"ADDED"}\n', '{"type":"ADDED","obj'])(
    'fail for what is none: %j',
    async text => {
      await expect(read(bytes(text))).rejects.toThrow()
    },
  )

  it('fail for a line without an end', async () => {
    const endless = Array.from({ length: 9 }, () => new Uint8Array(1024 * 1024).fill(0x61))
    await expect(read(...endless)).rejects.toThrow('a line of a watch is longer than 8388608 bytes')
  })
})
