import { describe, expect, it } from 'vitest'
import { diagnose } from '../../../src/diagnosis/diagnose.ts'
import type { PodSnapshot } from '../../../src/diagnosis/snapshot.ts'
import { aContainer, anEvent, aPod, aSnapshot, waiting } from '../builders.ts'

const IMAGE = 'registry.lab.example/mill/saw:3.2'

const pulling = (message: string, { image = IMAGE, reason = 'ErrImagePull', ...rest } = {}) => ({
  pod: aPod({ containers: [aContainer({ name: 'saw', state: waiting(reason, message), spec: { image, ...rest } })] }),
})
const cause = (snapshot: Partial<PodSnapshot>) => diagnose(aSnapshot(snapshot)).diagnosis.cause
const idOf = (message: string, options: { image?: string; reason?: string } = {}) => cause(pulling(message, options)).id

const unpack = (said: string, image = IMAGE) =>
  `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${said}`
const notFound = `rpc error: code = NotFound desc = ${unpack(`${IMAGE}: not found`)}`
const oci = 'unexpected status from HEAD request to https://registry.lab.example/v2/mill/saw/manifests/3.2:'
const head = 'failed to do request: Head "https://registry.lab.example/v2/mill/saw/manifests/3.2":'
const daemon = (said: string) => `Error response from daemon: ${said}`

describe('a failed pull', () => {
  it.each<[string, string]>([
    // containerd, CRI-O, dockerd
    ['image.not-found', notFound],
    ['image.not-found', `reading manifest 3.2 in registry.lab.example/mill/saw: manifest unknown`],
    [
      'image.not-found',
      daemon('manifest for registry.lab.example/mill/saw:3.2 not found: manifest unknown: manifest unknown'),
    ],
    ['image.not-found', unpack(`${oci} 404 Not Found`)],
    [
      'image.not-found',
      `reading manifest 3.2 in registry.lab.example/mill/saw: name unknown: The repository with name 'mill/saw' does not exist in the registry with id '1'`,
    ],
    ['image.platform-missing', unpack('no match for platform in manifest: not found')],
    [
      'image.platform-missing',
      'choosing image instance: no image found in image index for architecture "arm64", variant "v8", OS "linux"',
    ],
    [
      'image.platform-missing',
      daemon('no matching manifest for windows/amd64 10.0.17763 in the manifest list entries'),
    ],
    ['image.rate-limited', unpack(`${oci} 429 Too Many Requests`)],
    [
      'image.rate-limited',
      `failed to pull and unpack image "${IMAGE}": failed to copy: httpReadSeeker: failed open: unexpected status code https://registry.lab.example/v2/mill/saw/blobs/sha256:1: 429 Too Many Requests - Server message: toomanyrequests: slow down`,
    ],
    ['image.rate-limited', daemon('toomanyrequests: You have reached your pull rate limit.')],
    ['image.rate-limited', `${unpack(`${oci} 429 Too Many Requests`)}\ntoomanyrequests: Rate exceeded`],
    [
      'image.auth-missing-or-wrong',
      unpack(
        'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
      ),
    ],
    [
      'image.auth-missing-or-wrong',
      daemon(
        "pull access denied for mill/saw, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
      ),
    ],
    [
      'image.auth-missing-or-wrong',
      'reading manifest 3.2 in registry.lab.example/mill/saw: unauthorized: access to the requested resource is not authorized',
    ],
    [
      'image.auth-missing-or-wrong',
      unpack(
        'failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://registry.lab.example/token: 403 Forbidden',
      ),
    ],
    [
      'image.auth-missing-or-wrong',
      unpack(
        'failed to authorize: failed to fetch oauth token: unexpected status from POST request to https://registry.lab.example/token: 401 Unauthorized',
      ),
    ],
    [
      'image.auth-expired',
      unpack('failed to authorize: denied: Your authorization token has expired. Reauthenticate and try again.'),
    ],
    [
      'image.registry-tls',
      unpack(`${head} tls: failed to verify certificate: x509: certificate signed by unknown authority`),
    ],
    [
      'image.registry-tls',
      `pinging container registry registry.lab.example: Get "https://registry.lab.example/v2/": http: server gave HTTP response to HTTPS client`,
    ],
    [
      'image.registry-tls',
      daemon(
        'Get "https://registry.lab.example/v2/": x509: certificate has expired or is not yet valid: current time is after',
      ),
    ],
    ['image.registry-error', unpack(`${oci} 503 Service Unavailable`)],
    ['image.registry-error', daemon('received unexpected HTTP status: 502 Bad Gateway')],
    ['image.node-dns-or-network', unpack(`${head} dial tcp: lookup registry.lab.example on 10.1.0.2:53: no such host`)],
    ['image.node-dns-or-network', unpack(`${head} dial tcp: lookup registry.lab.example: i/o timeout`)],
    ['image.node-dns-or-network', unpack(`${head} dial tcp 10.9.9.9:443: connect: connection refused`)],
    ['image.node-dns-or-network', unpack(`${head} net/http: TLS handshake timeout`)],
    [
      'image.node-dns-or-network',
      'pinging container registry registry.lab.example: Get "https://registry.lab.example/v2/": dial tcp 10.9.9.9:443: i/o timeout',
    ],
    [
      'image.node-disk-full',
      `failed to pull and unpack image "${IMAGE}": failed to extract layer sha256:1f: mount callback failed on /var/lib/containerd/tmpmounts/c1: write /usr/lib/x: no space left on device: unknown`,
    ],
    [
      'image.node-disk-full',
      'copying system image from manifest list: writing blob: storing blob to file "/var/tmp/storage/1": write: no space left on device',
    ],
    [
      'image.other',
      'failed to pull image: because the signature validation failed: Source image rejected: A signature was required, but no signature exists',
    ],
    [
      'image.other',
      'short-name "saw" did not resolve to an alias and no unqualified-search registries are defined in "/etc/containers/registries.conf"',
    ],
    ['image.other', 'rpc error: code = Canceled desc = context canceled'],
    [
      'node.runtime-down',
      'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: connection refused"',
    ],
  ])('is %s: %s', (id, message) => {
    expect(idOf(message)).toBe(id)
    expect(idOf(`Back-off pulling image "${IMAGE}": ErrImagePull: ${message}`, { reason: 'ImagePullBackOff' })).toBe(id)
    expect(idOf(message.replaceAll('\n', '\r\n'))).toBe(id)
  })

  it.each<[string, string, string]>([
    ['a page instead of a manifest', 'unexpected media type text/html for sha256:9f404e: not found', 'image.other'],
    [
      'a manifest that the runtime gave up',
      'media type "application/vnd.docker.distribution.manifest.v1+prettyjws" is no longer supported since containerd v2.0',
      'image.other',
    ],
    [
      'a digest with 404 in it',
      `failed commit on ref "layer-sha256:404aa": unexpected commit digest sha256:e3b0404, expected sha256:404aa: failed precondition`,
      'image.other',
    ],
    ['bytes that arrive damaged', 'failed size validation: 404 != 1200: failed precondition', 'image.other'],
  ])('that only sounds like a missing image is none: %s', (_, message, id) => {
    expect(idOf(message)).toBe(id)
  })

  it.each<[string, string]>([
    ['registry.lab.example/x509/not-found:1', 'image.registry-error'],
    ['registry.lab.example/tools/lookup-unauthorized:denied', 'image.registry-error'],
    ['toomanyrequests.example/rate/exceeded:404', 'image.registry-error'],
    ['registry.lab.example/app:toomanyrequests', 'image.registry-error'],
  ])('is judged without the words of the image name %s', (image, id) => {
    const url = `https://${image.replace(/:([^:]+)$/, '/manifests/$1').replace('/', '/v2/')}`
    expect(
      idOf(unpack(`unexpected status from HEAD request to ${url}: 500 Internal Server Error`, image), { image }),
    ).toBe(id)
  })

  it.each(['not:1', 'a:1', 'found', 'x/unknown:manifest', ''])('of the image %j still says what it says', image => {
    expect(idOf(`rpc error: code = NotFound desc = ${unpack('it: not found', image)}`, { image })).toMatch(
      /^image\.(?:not-found|pull-policy)$/,
    )
    expect(idOf(`reading manifest 3 in ${image}: manifest unknown`, { image })).toMatch(
      /^image\.(?:not-found|pull-policy)$/,
    )
  })

  it('with several credentials is what the first of them met', () => {
    const list = `[${unpack('failed to authorize: failed to fetch oauth token: unexpected status: 401 Unauthorized')}, ${unpack('failed to authorize: failed to fetch anonymous token: unexpected status: 401 Unauthorized')}]`
    const { id, summary } = cause(pulling(list))
    expect(id).toBe('image.auth-missing-or-wrong')
    expect(summary).toContain('does not accept the credentials')
  })

  it('is read from its event where the status only says that it waits (up to 1.31)', () => {
    const failed = anEvent('Failed', `Failed to pull image "${IMAGE}": ${notFound}`, { container: 'saw' })
    const snapshot = { ...pulling(`Back-off pulling image "${IMAGE}"`, { reason: 'ImagePullBackOff' }), minor: 30 }
    expect(cause({ ...snapshot, events: [failed] }).id).toBe('image.not-found')
    expect(cause(snapshot)).toMatchObject({ id: 'image.other', confidence: 'possible' })
  })

  it('from ECR that is refused has likely outlived its token', () => {
    const image = '123456789012.dkr.ecr.eu-west-1.amazonaws.com/mill/saw:3.2'
    const { id, confidence } = cause(
      pulling(
        unpack(
          'pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials',
          image,
        ),
        { image },
      ),
    )
    expect({ id, confidence }).toEqual({ id: 'image.auth-expired', confidence: 'likely' })
  })

  it('of a name that cannot be parsed is about the name', () => {
    const message = `Failed to apply default image tag "Mill/Saw:3": couldn't parse image name "Mill/Saw:3": invalid reference format: repository name (library/Mill/Saw) must be lowercase`
    expect(idOf(message, { image: 'Mill/Saw:3', reason: 'InvalidImageName' })).toBe('image.invalid-name')
  })

  it('whose secret is malformed is about the credentials', () => {
    expect(idOf('', { reason: 'illegal base64 data at input byte 4' })).toBe('image.auth-missing-or-wrong')
  })

  it('names the pull secrets that the pod does and does not have', () => {
    const said = unpack(`${oci} 401 Unauthorized`)
    expect(cause(pulling(said)).summary).toContain('the pod names no pull secret of its own')
    const { pod } = pulling(said)
    const spec = { ...(pod['spec'] as object), imagePullSecrets: [{ name: 'mill-pull' }] }
    expect(cause({ pod: { ...pod, spec } }).summary).toContain('`mill-pull`')
  })
})

describe('pull policies', () => {
  it('Never, and the image is not there', () => {
    const message = 'Container image "saw:dev" is not present with pull policy of Never'
    const spec = { image: 'saw:dev', reason: 'ErrImageNeverPull', imagePullPolicy: 'Never' }
    expect(cause(pulling(message, spec))).toMatchObject({ id: 'image.pull-policy', confidence: 'certain' })
  })

  it.each<[string, string, string]>([
    ['a local name that is always pulled', 'saw:latest', 'image.pull-policy'],
    ['a local name with a tag, which is not pulled when there', 'saw:3', 'image.not-found'],
    ['a name with a registry', 'registry.lab.example/saw:latest', 'image.not-found'],
  ])('%s', (_, image, id) => {
    expect(
      idOf(`rpc error: code = NotFound desc = ${unpack(`docker.io/library/${image}: not found`, image)}`, { image }),
    ).toBe(id)
  })
})

describe('a pull that goes on', () => {
  const creating = (events: PodSnapshot['events']) =>
    cause({ pod: aPod({ containers: [aContainer({ name: 'saw', state: waiting('ContainerCreating') })] }), events })
  const started = anEvent('Pulling', `Pulling image "${IMAGE}"`, { container: 'saw', type: 'Normal', secondsAgo: 40 })

  it('is no failure yet', () => {
    expect(creating([started])).toMatchObject({ id: 'image.pulling', confidence: 'certain', container: 'saw' })
  })

  it.each(['Pulled', 'Failed', 'Created'])('is over once the event %s follows', reason => {
    expect(creating([started, anEvent(reason, 'over', { container: 'saw', secondsAgo: 5 })]).id).not.toBe(
      'image.pulling',
    )
  })
})
