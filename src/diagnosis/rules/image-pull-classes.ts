import type { Confidence } from '../diagnosis.ts'

/** One class of what a registry or runtime says when a pull fails. */
export interface PullClass {
  readonly id: string
  readonly confidence: Confidence
  /** Any of these, in the lower-cased message, decides. */
  readonly says: readonly string[]
  /** After `Image X cannot be pulled: `. `{registry}`, `{repository}`, `{image}` are filled in. */
  readonly means: string
  readonly fix: readonly string[]
}

const CREDENTIALS =
  'Give the pod working credentials for {registry}: `imagePullSecrets` of the pod or its service account must name a Secret of type `kubernetes.io/dockerconfigjson` with that host. A corrected Secret is used by the next retry, at most 5 minutes away, without a new pod; a name that is added to the service account only by pods made after that.'

/**
 * First hit wins, in this order: `not found` is also said of a missing platform, `i/o timeout` also of a name that does
 * not resolve. Wordings of containerd 1.6–2.3, CRI-O and cri-dockerd.
 */
export const pullClasses: readonly PullClass[] = [
  {
    id: 'node.runtime-down',
    confidence: 'certain',
    says: ['containerd.sock', 'crio.sock', 'cri-dockerd.sock', 'docker.sock', 'transport is closing'],
    means: 'the container runtime on the node does not answer the kubelet; the registry was not even asked',
    fix: [
      'Bring the container runtime of the node back (containerd, CRI-O or Docker); the kubelet then pulls by itself.',
    ],
  },
  {
    id: 'image.invalid-name',
    confidence: 'certain',
    says: [
      'invalid reference format',
      "couldn't parse image name",
      'failed to parse image reference',
      'invalid tag format',
    ],
    means: 'the reference cannot be parsed',
    fix: ['Correct the image reference {image}: lower-case repository, one tag, no blanks, no scheme.'],
  },
  {
    id: 'image.rate-limited',
    confidence: 'certain',
    says: [
      'toomanyrequests',
      '429 too many requests',
      'too many requests to registry',
      'pull rate limit',
      'rate exceeded',
    ],
    means: 'the registry refuses further pulls for now; its rate limit for this address or account is used up',
    fix: [
      'Wait (the kubelet retries by itself at most every 5 minutes), authenticate the pulls from {registry}, or pull through a mirror.',
    ],
  },
  {
    id: 'image.platform-missing',
    confidence: 'certain',
    says: [
      'no match for platform in manifest',
      'no matching manifest for',
      'no image found in manifest list for architecture',
      'no image found in image index for architecture',
    ],
    means: 'the tag exists, but has no variant for the platform of this node (`no match for platform in manifest`)',
    fix: ['Publish {image} for the architecture of the node, or pin the pod to nodes of an architecture that it has.'],
  },
  {
    id: 'image.other',
    confidence: 'certain',
    says: ['unexpected media type', 'no longer supported since containerd', 'unsupported manifest media type'],
    means:
      'what {registry} sends is no image manifest that this runtime understands – a page of a proxy or of a login, or a format it no longer supports',
    fix: [
      'Ask {registry} for the manifest from the node and see what comes; rebuild {image} if its format is an old one.',
    ],
  },
  {
    id: 'image.other',
    confidence: 'certain',
    says: [
      'unexpected commit digest',
      'failed size validation',
      'digest mismatch',
      'filesystem layer verification failed',
    ],
    means: 'a layer arrives damaged or cut off (its digest or size does not fit), as by a proxy or a broken connection',
    fix: ['Look at what stands between the node and {registry} (proxy, mirror, cache); the kubelet retries by itself.'],
  },
  {
    id: 'image.node-disk-full',
    confidence: 'certain',
    says: ['no space left on device', 'disk quota exceeded'],
    means: 'the node has no space left to unpack it',
    fix: ['Free disk space on the node (unused images, logs, emptyDirs) or give its image file system more.'],
  },
  {
    id: 'image.registry-tls',
    confidence: 'certain',
    says: [
      'x509:',
      'server gave http response to https client',
      'first record does not look like a tls handshake',
      'client sent an http request to an https server',
    ],
    means: 'the TLS connection to {registry} fails before anything is asked',
    fix: [
      'Install the CA of {registry} on every node (containerd: certs.d/{registry}/hosts.toml), renew its certificate, or configure it there as plain HTTP if it speaks none.',
    ],
  },
  {
    id: 'image.node-dns-or-network',
    confidence: 'certain',
    says: ['no such host', 'temporary failure in name resolution', 'server misbehaving', ': try again', 'lookup '],
    means:
      'the node cannot resolve the name of {registry}; the node resolver (its /etc/resolv.conf) is asked, which is a different path than the DNS of pods',
    fix: [
      'Repair name resolution on the node (/etc/resolv.conf of the container runtime), not in the cluster, or correct the host name {registry}.',
    ],
  },
  {
    id: 'image.node-dns-or-network',
    confidence: 'certain',
    says: [
      'connection refused',
      'no route to host',
      'network is unreachable',
      'connection reset by peer',
      'unexpected eof',
      'broken pipe',
      'registryunavailable',
      'registry is unavailable',
      'proxyconnect tcp',
    ],
    means: 'the node does not reach {registry}: the connection is refused or cut',
    fix: ['Start the registry at {registry}, or open the way from the node to it (firewall, proxy, route).'],
  },
  {
    id: 'image.node-dns-or-network',
    confidence: 'certain',
    says: [
      'i/o timeout',
      'tls handshake timeout',
      'connection timed out',
      'context deadline exceeded',
      'client.timeout exceeded',
      'deadlineexceeded',
    ],
    means: 'the node does not reach {registry}: the request times out',
    fix: ['Open the way from the node to {registry} (firewall, proxy, route), then wait for the next retry.'],
  },
  {
    id: 'image.registry-error',
    confidence: 'certain',
    says: [
      '500 internal server error',
      '502 bad gateway',
      '503 service unavailable',
      '504 gateway',
      'unexpected http status: 5',
      'internal server error',
    ],
    means: 'the registry {registry} answers with a server error',
    fix: ['Look at the registry {registry} itself; the kubelet retries by itself at most every 5 minutes.'],
  },
  {
    id: 'image.auth-expired',
    confidence: 'certain',
    says: ['token has expired', 'token is expired', 'expired token', 'credentials have expired'],
    means: 'the registry says that the token has expired',
    fix: [
      'Renew the registry token in the pull Secret and keep it renewed (a credential provider on the node does that by itself). The next retry uses it.',
    ],
  },
  {
    id: 'image.auth-missing-or-wrong',
    confidence: 'certain',
    says: ['no basic auth credentials', 'failed to fetch anonymous token'],
    means:
      'no credentials that fit {registry} were sent, and it does not give the image to anonymous pulls – or the repository does not exist there',
    fix: [CREDENTIALS],
  },
  {
    id: 'image.auth-missing-or-wrong',
    confidence: 'certain',
    says: [
      '401 unauthorized',
      'incorrect username or password',
      'invalid username/password',
      'failed to fetch oauth token',
      'user cannot be authenticated',
      'authentication required',
      'illegal base64 data',
      'unable to parse auth field',
      'unable to retrieve auth token',
    ],
    means: 'the registry does not accept the credentials for {registry}, or got none',
    fix: [CREDENTIALS],
  },
  {
    id: 'image.auth-missing-or-wrong',
    confidence: 'likely',
    says: [
      'pull access denied',
      'insufficient_scope',
      'requested access to the resource is denied',
      'may require authorization',
      "may require 'docker login'",
      '403 forbidden',
      '403 (forbidden)',
      'denied: denied',
      'denied: permission',
      'permission "artifactregistry',
      'accessdenied',
      'not authorized to perform',
      'unauthorized',
      'authorization failed',
      'access denied',
    ],
    means: 'the registry refuses access; it says the same of a repository that does not exist',
    fix: [
      CREDENTIALS,
      'Check that {repository} is spelt right: a registry does not tell a missing repository from a forbidden one.',
    ],
  },
  {
    id: 'image.not-found',
    confidence: 'certain',
    says: ['not found', 'manifest unknown', 'name unknown', 'status code 404', 'does not exist', 'no such image'],
    means: 'no such tag or repository exists in {registry}/{repository}',
    fix: ['Set `image` to a tag that exists in {registry}/{repository}, or push {image}.'],
  },
]
