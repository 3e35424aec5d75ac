/** Where the first crash of a container of a pod is kept. */
export const crashKey = (cluster: string, namespace: string, uid: string, container: string): string =>
  `first-crash:${cluster}:${namespace}:${uid}:${container}`

/** Where the key of the first crash among an owner's pods is kept. */
export const firstOfOwnerKey = (cluster: string, namespace: string, workload: string, container: string): string =>
  `first-crash-owner:${cluster}:${namespace}:${workload}:${container}`
