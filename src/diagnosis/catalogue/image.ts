import type { Causes } from './cause.ts'

export const image: Causes = {
  'image.not-found': {
    what: 'The tag or repository does not exist in the registry.',
    looksAt: 'what the registry said of the last pull, in the words of containerd, CRI-O and Docker',
    todo: 'Set a tag that exists, or push the image.',
  },
  'image.auth-missing-or-wrong': {
    what: 'The registry refuses access: no credentials fit it, or it does not accept them – or the repository does not exist.',
    looksAt: 'what the registry said, the pull secrets that the pod names, and whether the kubelet could read them',
    todo: 'Give the pod a pull secret for that host, and check the spelling of the repository.',
  },
  'image.auth-expired': {
    what: 'The registry token has run out.',
    looksAt: 'a refusal that says so, or one of Amazon ECR, whose tokens last 12 hours',
    todo: 'Renew the token in the pull secret, or let a credential provider of the node do it.',
  },
  'image.rate-limited': {
    what: 'The registry refuses further pulls for now; the quota of this address or account is used up.',
    looksAt: 'the refusal (`429`, `toomanyrequests`, `rate exceeded`)',
    todo: 'Wait, authenticate the pulls, or pull through a mirror.',
  },
  'image.platform-missing': {
    what: 'The tag exists, but not for the platform of the node.',
    looksAt: 'the refusal (`no match for platform` and the like), before its `not found`',
    todo: 'Publish the image for that architecture, or place the pod on nodes that it has.',
  },
  'image.registry-tls': {
    what: 'The TLS connection of the node to the registry fails: unknown CA, wrong certificate, or plain HTTP.',
    looksAt: 'the failure of the pull (`x509`, `HTTP response to HTTPS client`)',
    todo: 'Give the nodes the CA, renew the certificate, or configure the registry as plain HTTP in the runtime.',
  },
  'image.registry-error': {
    what: 'The registry answers with a server error.',
    looksAt: 'the status it answered with (`500`, `502`, `503`, `504`)',
    todo: 'Look at the registry; the kubelet goes on trying.',
  },
  'image.node-dns-or-network': {
    what: 'The node does not resolve or reach the registry.',
    looksAt: 'the failure of the pull: name resolution, refused, timed out, cut',
    todo: 'Repair resolver, proxy, firewall or route of the node; the DNS of pods is another one.',
  },
  'image.node-disk-full': {
    what: 'The node has no space left to unpack the image.',
    looksAt: 'the failure of the pull (`no space left on device`)',
    todo: 'Free disk on the node, or give its image file system more.',
  },
  'image.pull-policy': {
    what: 'The pull policy does not fit where the image is: `Never` without an image on the node, or `Always` for one that was only loaded there.',
    looksAt: '`ErrImageNeverPull`, or `not found` for a name without registry, with the effective policy',
    todo: 'Load the image onto the node, set `IfNotPresent`, or name the registry.',
  },
  'image.invalid-name': {
    what: 'The image reference cannot be parsed.',
    looksAt: 'reason `InvalidImageName` and its message',
    todo: 'Correct the reference: lower-case repository, one tag, no blanks, no scheme.',
  },
  'image.pulling': {
    what: 'The image is still being pulled; nothing has failed.',
    looksAt: 'a `Pulling` event that neither `Pulled` nor `Failed` has followed',
    todo: 'Wait; a smaller image starts faster.',
  },
  'image.other': {
    what: 'The pull fails for a reason that no other id covers; the message is quoted.',
    looksAt: 'the waiting message, or the newest `Failed to pull image` event',
    todo: 'Read the message and correct the image, or mend what it names.',
  },
}
