import { kubectl } from './kubectl.ts'
import { type PodWatch, watchPods } from './pod-watch.ts'

/** Label of every namespace that these tests make: `kubectl delete ns -l podwhy.dev/test` removes what a killed run left. */
const LABEL = 'podwhy.dev/test'

/** A namespace of its own. */
export interface Team {
  readonly namespace: string
  readonly pods: PodWatch
  /** Applies a manifest, whose objects stand in namespace `scenario`, here. */
  apply(manifest: string): Promise<void>
  /** Deletes the namespace and all in it, without waiting for the end. */
  remove(): Promise<void>
}

/** Makes a namespace with a generated name, ready for pods. */
export const openTeam = async (): Promise<Team> => {
  const wanted = { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'team-', labels: { [LABEL]: '' } } }
  const namespace = await kubectl(['create', '-f', '-', '-o', 'jsonpath={.metadata.name}'], JSON.stringify(wanted))
  // Pods are refused until the controller has made this one.
  await kubectl(['wait', '-n', namespace, '--for=create', 'serviceaccount/default', '--timeout=60s'])
  const pods = watchPods(namespace)
  return {
    namespace,
    pods,
    apply: async manifest =>
      void (await kubectl(['apply', '-f', '-'], manifest.replaceAll('namespace: scenario', `namespace: ${namespace}`))),
    remove: async () => {
      await pods.end()
      await kubectl(['delete', 'namespace', namespace, '--wait=false'])
    },
  }
}
