import { describe, expect, it } from 'vitest'
import { alreadyAsked, apology, notInChannel, placeholder, refused, usageHint } from '../../src/answer/notices.ts'
import { withinLimits } from '../../src/answer/within-limits.ts'
import { inlineElements, messageText } from './message-text.ts'

const nasty = `<!channel> \`${'x'.repeat(5_000)}\` <script> \u202E`

describe('a notice', () => {
  it('reads politely, in a line or two', () => {
    const texts = [
      placeholder('shop/web-5d4f'),
      apology('the API server of `prod-eu` did not answer within 15 s.', 'a1b2c3'),
      usageHint('`shop//` names no pod.'),
      alreadyAsked('shop/web', null),
      alreadyAsked('shop/web', 'https://x.slack.com/archives/C1/p1'),
      notInChannel(),
      refused('Namespace `kube-system` is not one I may be asked about.'),
    ].map(messageText)
    expect(texts).toMatchInlineSnapshot(`
      [
        "Looking at \`shop/web-5d4f\` …",
        "Sorry, this could not be answered: the API server of \`prod-eu\` did not answer within 15 s. Please ask again; if it stays so, the log of podwhy has more under \`a1b2c3\`.",
        "\`shop//\` names no pod. Ask with \`/podwhy NAMESPACE/POD\` or \`/podwhy NAMESPACE/deploy/NAME\`, about all pods of a namespace with \`/podwhy NAMESPACE/\`; about another cluster with \`/podwhy CLUSTER:NAMESPACE/POD\`.",
        "\`shop/web\` has just been asked about. Ask again in a minute for a fresh look.",
        "\`shop/web\` has just been asked about. Ask again in a minute for a fresh look.

      See the answer",
        "Only you see this, because I am not in this channel. Invite me with \`/invite @podwhy\`.",
        "Sorry, I may not answer this. Namespace \`kube-system\` is not one I may be asked about.",
      ]
    `)
  })

  it.each([placeholder(nasty), apology(nasty, nasty), usageHint(nasty), alreadyAsked(nasty, null), refused(nasty)])(
    'stays within limits and pings nobody, whatever was typed (%#)',
    message => {
      expect(withinLimits(message)).toEqual([])
      expect(message.text).not.toMatch(/[<>\u202E]/)
      expect(message.text.length).toBeLessThanOrEqual(330)
      for (const { type } of inlineElements(message)) expect(type).toBe('text')
    },
  )

  it('links nowhere but to https', () => {
    expect(messageText(alreadyAsked('shop/web', 'javascript:alert(1)'))).not.toContain('See')
  })
})

it('an apology ends its reason as a sentence', () => {
  expect(apology('cluster "test" did not answer in time', 'a1').text).toContain('in time. Please ask again')
  expect(apology('It is away.', 'a1').text).toContain('It is away. Please ask again')
})
