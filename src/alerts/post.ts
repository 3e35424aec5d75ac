import type { Target } from '../queue/job.ts'
import type { Labels } from './alert.ts'
import { type AlertClusters, withOwnCluster } from './alert-clusters.ts'
import { isKnownAlert, needsUnhealthy } from './alert-kinds.ts'
import { type Candidates, labelTargets } from './label-targets.ts'
import { otherPods } from './other-pods.ts'
import { ownerKey } from './owner-name.ts'
import { type PostedAttachment, PostedMessage, readable, textOfAttachment, textOfMessage } from './post-text.ts'
import { labelSets, lineLabels, sentenceLabels } from './text-labels.ts'
import { readTitle, titleTargets, withoutStatus } from './title-targets.ts'

/** An alert that was posted to Slack. */
export interface PostedAlert {
  readonly status: 'firing' | 'resolved'
  readonly alertname: string | null
  /** The same for a post and the one that says it is resolved, as far as the posts tell. */
  readonly key: string
  /**
   * One for each owner, in the post's order. Where the post spells out the labels the first target is meant, and those
   * after it made it; else they are guesses, in order, of which the cluster knows one or none.
   */
  readonly asked: readonly {
    readonly owner: string
    readonly targets: Candidates
    /** Other pods of it that the post names, sorted. */
    readonly named: readonly string[]
  }[]
  /** Alerts in it whose labels name a cluster that is not configured: they are not in `asked`. */
  readonly otherCluster: number
  /** Whether the post names its targets: then `asked` is no guess. */
  readonly isCertain: boolean
  /** Whether a pod's state explains alerts of this name: of others only an unhealthy pod is worth an answer. */
  readonly isKnown: boolean
}

/** The labels in a text that name a cluster, of the first alert that has any. */
const clusterIn = (sets: readonly Labels[], clusters: AlertClusters): Labels => {
  const among = (labels: Labels) => Object.entries(labels).filter(([name]) => clusters.labels.includes(name))
  return Object.fromEntries(sets.map(among).find(found => found.length > 0) ?? [])
}

/** The labels a text gives, by whichever form says the most; `cluster`: where they name none of their own. */
const labelsIn = (text: string, sets: readonly Labels[], alertname: string, cluster: Labels): readonly Labels[] => {
  for (const find of [() => sets, lineLabels, sentenceLabels]) {
    const found = find(text)
      .map((labels): Labels => ({ alertname, ...cluster, ...labels }))
      .filter(labels => labels['podwhy'] !== 'false' && labelTargets(labels) !== null)
    if (found.length > 0) return found
  }
  return []
}

const senderOf = ({ username, bot_profile }: PostedMessage): string => `${username ?? ''} ${bot_profile?.name ?? ''}`

/** Whether one of these, by id or by name, has posted it. */
const isFrom = ({ bot_id, username, bot_profile }: PostedMessage, bots: readonly string[]): boolean =>
  [bot_id, username, bot_profile?.name].some(
    own => own && bots.some(bot => bot.toLowerCase() === own.replace(/\s+/g, '-').toLowerCase()),
  )

/** How others than Alertmanager say that it is over. */
const isOverIn = (titles: readonly string[]): boolean => /\b(?:resolved|recovered)\b/i.test(titles[0] ?? '')

const titlesOf = (attachment: PostedAttachment): readonly string[] =>
  [attachment.fallback, attachment.title, attachment.text].map(title => readable(title ?? '').trim()).filter(Boolean)

const knownNameIn = (text: string): string | null => {
  const found = [...text.matchAll(/\b(?:Kube|Kubernetes|Target)[A-Z]\w+/g)].map(([name]) => name)
  return found.find(isKnownAlert) ?? null
}

/** All that is meant, by owner. */
const byOwner = (candidates: readonly Candidates[]): readonly (readonly Candidates[])[] => [
  ...Map.groupBy(candidates, ([target]) => ownerKey(target)).values(),
]

const guessed = (targets: readonly Target[]): readonly Candidates[] => {
  const [first, ...others] = targets
  return first === undefined ? [] : [[first, ...others]]
}

/**
 * Reads a message of Alertmanager's Slack receiver, whatever its template, or of Grafana's alerting; of `bots`, by id or
 * name with `-` for blanks, any message that names a target. Null: it is no alert, or nobody's but a person's.
 */
export const targetsOfPost = (
  message: unknown,
  clusters: AlertClusters,
  bots: readonly string[] = [],
): PostedAlert | null => {
  const parsed = PostedMessage.safeParse(message)
  if (!parsed.success || !parsed.data.bot_id) return null
  const attachments = parsed.data.attachments ?? []
  const texts = [...attachments.map(textOfAttachment), textOfMessage(parsed.data)].filter(Boolean)
  const titles = [...attachments.flatMap(titlesOf), ...textOfMessage(parsed.data).split('\n')]
  const marked = titles.map(withoutStatus).find(each => each !== null)
  const known = texts.map(knownNameIn).find(each => each !== null) ?? null
  const isSender = /alertmanager|grafana/i.test(senderOf(parsed.data))
  const isConfigured = isFrom(parsed.data, bots)
  if (!marked && !isConfigured && !(isSender && known !== null)) return null

  const title = titles.map(readTitle).find(each => each !== null) ?? null
  const alertname = title?.alertname ?? known
  const spelled = texts.map(text => labelSets(text, clusters.labels))
  const anyCluster = clusterIn(spelled.flat(), clusters)
  const sets = texts.flatMap((text, index) => {
    const own = spelled[index] ?? []
    return labelsIn(text, own, alertname ?? '', { ...anyCluster, ...clusterIn(own, clusters) })
  })
  const ours = sets.map(labels => withOwnCluster(labels, clusters)).filter(labels => labels !== null)
  const named = byOwner(ours.map(labelTargets).filter(targets => targets !== null))
  const titled = sets.length > 0 || title === null ? [] : titleTargets(title, clusters)
  const place = withOwnCluster(anyCluster, clusters)
  const otherCluster = sets.length - ours.length || (titled.length > 0 && place === null ? 1 : 0)
  const guesses = titled.map((target): Target => ({ ...target, cluster: place?.['cluster'] ?? target.cluster }))
  const found = named.length > 0 || place === null ? named : guessed(guesses).map(each => [each])
  const isGood = attachments.some(({ color }) => color === 'good') || (isConfigured && isOverIn(titles))
  return {
    status: marked?.status ?? (isGood ? 'resolved' : 'firing'),
    alertname,
    key: marked?.rest || `${alertname} ${named.flatMap(([first]) => (first ? ownerKey(first[0]) : [])).join(' ')}`,
    asked: found.flatMap(all => {
      const [targets] = all
      return targets === undefined ? [] : [{ owner: ownerKey(targets[0]), targets, named: otherPods(all) }]
    }),
    otherCluster,
    isCertain: named.length > 0,
    isKnown: [...sets, { alertname: alertname ?? '' }].some(labels => !needsUnhealthy(labels)),
  }
}
