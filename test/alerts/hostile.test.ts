import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clustersByName } from '../../src/alerts/alert-clusters.ts'
import { targetsOfPost } from '../../src/alerts/post.ts'
import { kubectlTarget } from '../../src/kubectl-target.ts'
import { linkTarget } from '../../src/link-target.ts'

const posted = (text: string) => ({
  ...{ bot_id: 'B1', text, username: 'Alertmanager' },
  attachments: [{ title: `[FIRING:1] KubePodNotReady ${text}`, text, fallback: text }],
})
const none = clustersByName([])
/** As much as Slack lets a message have. */
const LENGTH = 40_000

describe('a text made to be slow', () => {
  it.each([
    '<',
    '<a|',
    '[FIRING ',
    ' (',
    'pod ',
    'pod a/',
    'a-',
    'a.',
    'namespace: ',
    'namespace: a pod: b-0 ',
    'KubePodNotReady: ',
    'KubePodNotReady: a/b\n',
    'Kube',
    '• *pod:* `',
    'in namespace ',
    'persistentvolume claimed by ',
    'persistentvolumeclaim a in namespace ',
    'a=',
    '&namespace=a',
    '{pod="',
    'https://a/pods/',
    '`',
    '**',
  ])('of %j is read in linear time', piece => {
    const text = piece.repeat(LENGTH / piece.length)
    const started = performance.now()
    targetsOfPost(posted(text), none)
    kubectlTarget(`kubectl ${text}`)
    linkTarget(`https://example.com/${text}`)
    linkTarget(`https://example.com/a?q=${text}`)
    expect(performance.now() - started).toBeLessThan(500)
  })
})

it('whatever a message is, it is an alert or not, without an error', () => {
  fc.assert(
    fc.property(fc.anything(), fc.string({ unit: 'binary' }), (anything, text) => {
      targetsOfPost(anything, none)
      targetsOfPost({ bot_id: 'B1', attachments: anything, blocks: anything }, none)
      targetsOfPost({ bot_id: 'B1', attachments: [anything], text: anything }, none)
      for (const { targets } of targetsOfPost(posted(text), none)?.asked ?? [])
        expect(targets.length).toBeGreaterThan(0)
    }),
  )
})
