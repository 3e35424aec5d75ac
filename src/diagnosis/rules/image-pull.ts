import { atNode } from '../at-node.ts'
import { editOwner, read } from '../commands.ts'
import { imageReference } from '../image-reference.ts'
import { specHome } from '../owner.ts'
import { type ContainerRule, code, type Draft, eventFact, fact, quote } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { type PullClass, pullClasses } from './image-pull-classes.ts'

const PULL_REASONS: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
])

interface Said {
  readonly text: string
  readonly evidence: Draft['evidence'][number]
}

/** What the runtime said of the last attempt; up to 1.31 a container in back-off says nothing, then its event does. */
const saidOf = (subject: Subject): Said | null => {
  const { waitingMessage: message, container } = subject
  const source = `${container.statusPath}.state.waiting.message`
  const appended = /^Back-off pulling image "[^"]*": (.+)$/s.exec(message)?.[1]
  if (appended !== undefined) return { text: appended, evidence: fact(source, quote(appended, 400)) }
  if (message !== '' && !message.startsWith('Back-off pulling image')) {
    return { text: message, evidence: fact(source, quote(message, 400)) }
  }
  const event = subject.newest(['Failed', 'InspectFailed'], /^Failed to (?:pull|inspect|apply)/)
  return event ? { text: event.message, evidence: eventFact(event, quote(event.message, 400)) } : null
}

/** Several credentials tried give `[error, error]`, the anonymous try last: the first that says something decides. */
const attempts = (text: string): readonly string[] => {
  const list = /^\[(.+)\]$/s.exec(text.trim())?.[1]
  return list === undefined
    ? [text]
    : list.split(/, (?=(?:rpc error|failed to|unable to|reading manifest|initializing))/)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A message repeats the reference, whose parts may be any words; they are blanked out where they stand as such. */
const withoutReference = (image: string): ((text: string) => string) => {
  const { registry, repository, tag } = imageReference(image)
  const names = [registry, repository].filter(name => name !== '').map(escaped)
  const tags = tag ? [`(?<=:|/manifests/|manifest )${escaped(tag)}`] : []
  const inPlace = names.flatMap(name => [`(?<=[/"'(=])${name}`, `${name}(?=[:@/])`])
  const reference = new RegExp([...inPlace, ...tags].join('|') || '$^', 'g')
  return text => text.replace(reference, '…')
}

const classOf = (text: string, image: string): PullClass | null => {
  const blanked = withoutReference(image)
  for (const attempt of attempts(text)) {
    const said = blanked(attempt).toLowerCase()
    const found = pullClasses.find(({ says }) => says.some(words => said.includes(words)))
    if (found) return found
  }
  return null
}

const fill = (template: string, image: string): string => {
  const { registry, repository } = imageReference(image)
  return template
    .replaceAll('{registry}/{repository}', code(`${registry}/${repository}`))
    .replaceAll('{registry}', code(registry))
    .replaceAll('{repository}', code(repository))
    .replaceAll('{image}', code(image))
}

const pullSecrets = (subject: Subject): string => {
  const names = (subject.view.pod?.spec?.imagePullSecrets ?? []).flatMap(({ name }) => (name ? [code(name)] : []))
  return names.length > 0
    ? `pull secrets named by the pod: ${names.join(', ')}`
    : 'the pod names no pull secret of its own'
}

const secretFact = (subject: Subject) => fact('spec.imagePullSecrets', pullSecrets(subject))

const isAuth = (id: string): boolean => id.startsWith('image.auth-')

const failed = (subject: Subject, said: Said): Draft => {
  const image = subject.container.spec.image ?? ''
  const policy = policyDraft(subject, said)
  if (policy) return policy
  const found = classOf(said.text, image)
  const secretEvent = subject.view.events.findLast(({ reason }) => reason === 'FailedToRetrieveImagePullSecret')
  const id = found === null ? 'image.other' : expires(subject, found) ? 'image.auth-expired' : found.id
  const expiry =
    id === 'image.auth-expired' && found?.id !== id
      ? ' A token of Amazon ECR expires after 12 hours, and ECR then says just this: the pull secret may be out of date.'
      : ''
  const means = found ? atNode(subject.view, fill(found.means, image)) : `the runtime says ${quote(said.text)}`
  const retry = isAuth(id) ? ` (${pullSecrets(subject)})` : ''
  return {
    id,
    confidence: id === 'image.auth-expired' && found?.id !== id ? 'likely' : (found?.confidence ?? 'possible'),
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} cannot start because its image ${code(image)} cannot be pulled: ${means}${retry}.${expiry}`,
    evidence: [
      fact(`${subject.container.statusPath}.state.waiting.reason`, code(subject.waitingReason)),
      said.evidence,
      ...(isAuth(id) ? [secretFact(subject)] : []),
      ...(secretEvent ? [eventFact(secretEvent)] : []),
    ],
    fix: found
      ? [
          ...(expiry === ''
            ? []
            : [
                'Renew the registry token in the pull secret, or let the node role or a credential provider supply it; the next retry uses it without a new pod.',
              ]),
          ...found.fix.map(step => fill(step, image)),
        ]
      : [
          `Read the message and correct ${code('image')} of ${code(subject.name)} in ${specHome(subject.view)}, or mend what it names.`,
        ],
    verify: [
      subject.waitingReason === 'InvalidImageName'
        ? 'The new pod gets past `InvalidImageName`: event `Pulling`.'
        : 'The next pull attempt comes by itself, at most 5 minutes after the last; the event `Pulled` shows that it worked.',
    ],
    commands: [
      read(
        subject.view,
        'Pull attempts and what the registry said',
        'events',
        '--for',
        `pod/${subject.view.pod?.metadata?.name ?? ''}`,
      ),
      ...editOwner(subject.view),
    ],
  }
}

/** ECR tokens live 12 hours; an access that is refused with a secret at hand, or that siblings had, has likely run out. */
const expires = (subject: Subject, { id }: PullClass): boolean => {
  const image = subject.container.spec.image ?? ''
  if (id !== 'image.auth-missing-or-wrong') return false
  return /\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/.test(imageReference(image).registry)
}

const policyDraft = (subject: Subject, said: Said): Draft | null => {
  const { container, waitingReason } = subject
  const image = container.spec.image ?? ''
  const { registry, tag, digest, repository } = imageReference(image)
  const where = fact(`${container.specPath}.imagePullPolicy`, code(container.spec.imagePullPolicy ?? 'not set'))
  if (waitingReason === 'ErrImageNeverPull') {
    return {
      id: 'image.pull-policy',
      confidence: 'certain',
      container: subject.name,
      summary: `${subject.noun} ${code(subject.name)} cannot start: image ${code(image)} is not on the node, and ${code('imagePullPolicy: Never')} forbids to pull it.`,
      evidence: [fact(`${container.statusPath}.state.waiting.reason`, code(waitingReason)), said.evidence, where],
      fix: [
        `Load ${code(image)} onto the node${subject.view.pod?.spec?.nodeName ? ` ${code(subject.view.pod.spec.nodeName)}` : ''}, or set ${code('imagePullPolicy: IfNotPresent')} for ${code(subject.name)} in ${specHome(subject.view)}.`,
      ],
      commands: editOwner(subject.view),
    }
  }
  // An image name without registry and organisation that Docker Hub does not have was most likely built or loaded locally.
  const isLocalName = registry === 'docker.io' && !repository.includes('/') && digest === null
  const isLatest = tag === null || tag === 'latest'
  const always = (container.spec.imagePullPolicy ?? (isLatest ? 'Always' : 'IfNotPresent')) === 'Always'
  if (!isLocalName || !always || classOf(said.text, image)?.id !== 'image.not-found') return null
  return {
    id: 'image.pull-policy',
    confidence: 'likely',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} cannot start: ${code(image)} names no registry, so it is looked for on Docker Hub and is not there. If it was loaded onto the node, ${isLatest ? `tag ${code(':latest')} means ` : ''}${code('imagePullPolicy: Always')}${isLatest ? ' by default' : ''} makes the kubelet ask the registry all the same.`,
    evidence: [
      fact(`${container.statusPath}.state.waiting.reason`, code(waitingReason)),
      said.evidence,
      where,
      fact(`${container.specPath}.image`, code(image)),
    ],
    fix: [
      `For a locally loaded image set ${code('imagePullPolicy: IfNotPresent')} or use another tag than ${code('latest')} for ${code(subject.name)} in ${specHome(subject.view)}; otherwise name the registry that has it.`,
    ],
    commands: editOwner(subject.view),
  }
}

const pulling = (subject: Subject): Draft | null => {
  const started = subject.newest(['Pulling'])
  if (!started) return null
  const after = subject.events.slice(subject.events.indexOf(started) + 1)
  if (after.some(({ reason }) => reason === 'Pulled' || reason === 'Failed' || reason === 'Created')) return null
  const image = subject.container.spec.image ?? ''
  return {
    id: 'image.pulling',
    confidence: 'certain',
    container: subject.name,
    summary: `${subject.noun} ${code(subject.name)} waits for its image ${code(image)}, which is being pulled${started.lastAt ? ` since ${started.lastAt.slice(11, 19)} UTC` : ''}. Nothing has failed so far.`,
    evidence: [
      eventFact(started),
      fact(`${subject.container.statusPath}.state.waiting.reason`, code(subject.waitingReason)),
      fact('events', 'neither `Pulled` nor `Failed` since'),
    ],
    fix: ['Wait for the pull to end. A smaller image, or one that is already on the node, starts faster next time.'],
  }
}

/** Why an image is not there yet: classes of pull failures, pull policies, or a pull that still goes on. */
export const imagePull: ContainerRule = subject => {
  if (subject.moment === 'starting') return pulling(subject)
  if (subject.moment !== 'blocked') return null
  const said = saidOf(subject)
  // A malformed pull secret makes the kubelet put the error itself where the reason belongs.
  const isRawError = /illegal base64 data|unable to parse auth field/.test(subject.waitingReason)
  if (!PULL_REASONS.has(subject.waitingReason) && !isRawError) return null
  return failed(
    subject,
    said ?? {
      text: isRawError ? subject.waitingReason : '',
      evidence: fact('events', 'the failed attempt itself is no longer recorded'),
    },
  )
}
