import { describe, expect, it, onTestFinished } from 'vitest'
import { openCluster } from '../../src/cluster/cluster.ts'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { readMaterial } from '../accuracy/material.ts'
import { startKubeApiServer } from '../fakes/kube-api-server.ts'

const recordings = ['test/recordings', 'test/authored'].flatMap(readMaterial)

/** A recording knows one namespace; these pods need something of another one, which only a live answer can look up. */
const needsAnotherNamespace: readonly string[] = ['web-with-metrics-agent/sidecar-down']

/** Reads the recorded pod as a live one, from an API server that serves just this recording. */
const readLive = async (recorded: PodSnapshot) => {
  const kube = await startKubeApiServer({ recordings: [recorded] })
  const cluster = await openCluster({ kubeconfig: kube.kubeconfig({}), diagnose, name: 'prod' })
  onTestFinished(async () => {
    await cluster.close()
    await kube.close()
  })
  const [kind, name] = recorded.pod ? [null, recorded.target] : recorded.target.split('/')
  return cluster.read({ namespace: recorded.namespace, kind: kind ?? null, name: name ?? '' })
}

/** What was asked for and is neither there nor known to be missing. */
const unanswered = (requests: ReturnType<typeof diagnose>['requests']) => requests.filter(({ read }) => read !== 'log')

describe('a live pod', () => {
  it.each(recordings)(
    '$name is known after two rounds of requests, and gets the answer of its recording',
    async ({ name, snapshot }) => {
      const live = diagnose(await readLive(snapshot))
      const recorded = diagnose({ ...snapshot, cluster: 'prod' })
      expect(unanswered(live.requests)).toEqual([])
      expect(unanswered(recorded.requests).length > 0).toBe(needsAnotherNamespace.includes(name))
      if (needsAnotherNamespace.includes(name)) return
      expect({ ...live.diagnosis, unread: [] }).toEqual({ ...recorded.diagnosis, unread: [] })
    },
  )
})
