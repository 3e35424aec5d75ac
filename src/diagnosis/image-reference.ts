/** An image reference's parts (distribution reference grammar: a first part with a dot, a colon or `localhost` is a host). */
export interface ImageReference {
  readonly registry: string
  readonly repository: string
  readonly tag: string | null
  readonly digest: string | null
}

/** Splits a reference; one without a host means Docker Hub, as containerd resolves it. */
export const imageReference = (image: string): ImageReference => {
  const [beforeDigest = '', digest] = image.split('@')
  const slash = beforeDigest.indexOf('/')
  const first = slash < 0 ? '' : beforeDigest.slice(0, slash)
  const hasHost = first === 'localhost' || first.includes('.') || first.includes(':')
  const path = hasHost ? beforeDigest.slice(slash + 1) : beforeDigest
  const colon = path.lastIndexOf(':')
  const isTag = colon > path.lastIndexOf('/')
  return {
    registry: hasHost ? first : 'docker.io',
    repository: isTag ? path.slice(0, colon) : path,
    tag: isTag ? path.slice(colon + 1) : null,
    digest: digest ?? null,
  }
}
