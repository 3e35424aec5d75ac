import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { kubectlCommand } from '../../src/answer/kubectl-command.ts'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import type { Command } from '../../src/diagnosis/diagnosis.ts'
import type { JsonObject, PodSnapshot } from '../../src/diagnosis/snapshot.ts'
import { readMaterial } from '../accuracy/material.ts'
import { aContainer, ago, aPod, aSnapshot, crashLoop } from './builders.ts'

const controlledBy = (kind: string, name: string): JsonObject => ({
  ownerReferences: [{ kind, name, uid: `uid-of-${name}`, controller: true }],
})

const crashOf = (owner: JsonObject, related: PodSnapshot['related']): PodSnapshot =>
  aSnapshot({ pod: aPod({ containers: [aContainer(crashLoop(3))], metadata: owner }), related })

const aRevision = (number: number, image: string): JsonObject => ({
  metadata: {
    name: `web-${number}`,
    uid: `uid-of-web-${number}`,
    creationTimestamp: ago(600 - number),
    annotations: { 'deployment.kubernetes.io/revision': String(number) },
    ...controlledBy('Deployment', 'web'),
  },
  spec: { template: { spec: { containers: [{ name: 'api', image }] } } },
})

/** What no recording shows: a rollout that changed something, a CronJob. */
const built: readonly PodSnapshot[] = [
  crashOf(controlledBy('ReplicaSet', 'web-2'), { replicaSets: [aRevision(1, 'api:1'), aRevision(2, 'api:2')] }),
  crashOf(controlledBy('Job', 'import-28194180'), {
    jobs: [
      { metadata: { name: 'import-28194180', uid: 'uid-of-import-28194180', ...controlledBy('CronJob', 'import') } },
    ],
  }),
]

const snapshots = [
  ...['test/recordings', 'test/cases', 'test/authored'].flatMap(readMaterial).map(({ snapshot }) => snapshot),
  ...built,
]
const proposed: readonly Command[] = snapshots.flatMap(snapshot => diagnose(snapshot).diagnosis.commands)

/** A command without the names in it, so that each form is parsed once: `kubectl -n _ logs _ -c _ --tail=100`. */
const form = ({ argv }: Command): string =>
  argv
    .map((word, at) => {
      if (word.startsWith('-')) return word.replace(/=.*/, '=_')
      if (argv[at - 1]?.startsWith('-')) return argv[at - 1] === '-o' ? word : '_'
      return /^[a-z]+(?:,[a-z]+)*$/.test(word) && at <= 5 ? word : word.replace(/[^/]*$/, '_')
    })
    .join(' ')

const forms = [...new Map(proposed.map(command => [form(command), command])).values()]

describe('the commands of every recording and case', () => {
  it('are many', () => {
    expect(proposed.length).toBeGreaterThan(600)
    expect(forms.length).toBeGreaterThan(40)
  })

  it('come through a shell word by word', () => {
    const script = proposed.map(({ argv }) => `printf '%s\\0' ${kubectlCommand(argv)}; printf '\\n\\0'`).join('\n')
    const words = execFileSync('sh', { input: script, encoding: 'utf8', maxBuffer: 1 << 26 })
      .split('\0')
      .slice(0, -1)
    expect(words).toEqual(proposed.flatMap(({ argv }) => [...argv, '\n']))
  })

  it('never force, exec or print the values of a Secret', () => {
    const bad = proposed.filter(({ argv }) => {
      const isOfSecrets = argv.some(word => /^(?:[a-z,]+,)?secrets?(?:$|[,/])/.test(word))
      const isNamesOnly = argv.includes('describe') || argv.join(' ').endsWith('-o name') || argv.includes('can-i')
      return argv.some(word => /^--(?:force|grace-period)|^exec$/.test(word)) || (isOfSecrets && !isNamesOnly)
    })
    expect(bad.map(({ argv }) => argv.join(' '))).toEqual([])
  })

  it('are marked where they change the cluster, and those that read come first', () => {
    const reads =
      /^kubectl (?:-n \S+ )?(?:get|describe|logs|events|auth can-i|rollout (?:status|history)|api-resources|version) ?/
    expect(proposed.filter(({ argv, changes }) => changes === reads.test(argv.join(' ')))).toEqual([])
    for (const { diagnosis } of snapshots.map(diagnose)) {
      const kinds = diagnosis.commands.map(
        ({ argv, changes }) => changes || (!/status|--watch/.test(argv.join(' ')) && 'read'),
      )
      expect(kinds.lastIndexOf('read'), diagnosis.pod ?? '').toBeLessThan(
        kinds.includes(true) ? kinds.indexOf(true) : Number.POSITIVE_INFINITY,
      )
    }
  })
})

const version = spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' })
const skip = version.status !== 0
const run = promisify(execFile)

describe.skipIf(skip)(`kubectl${skip ? ' is not on the PATH: not tried' : ''}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'podwhy-kubectl-'))
  const kubeconfig = join(folder, 'kubeconfig')
  // Port 1 answers to nobody: kubectl gets as far as its arguments carry it.
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      clusters: [{ name: 'none', cluster: { server: 'http://127.0.0.1:1' } }],
      contexts: [{ name: 'none', context: { cluster: 'none' } }],
      'current-context': 'none',
    }),
  )
  afterAll(() => rmSync(folder, { recursive: true }))

  /** What kubectl has against the command, run by a shell as it is printed; null: only that there is no server. */
  const objection = async (line: string): Promise<string | null> => {
    const env = { ...process.env, KUBECONFIG: kubeconfig, EDITOR: 'false', HOME: folder }
    const ended = await run('sh', ['-c', line], { env, timeout: 15_000 }).then(
      ({ stdout }) => stdout,
      (error: { readonly stderr?: string }) => error.stderr ?? String(error),
    )
    return /connection (?:to the server \S+ was )?refused|was refused/.test(ended) ? null : `${line}: ${ended.trim()}`
  }

  it('parses each form, and would have asked the server', { timeout: 60_000 }, async () => {
    const objections: (string | null)[] = []
    const left = [...forms]
    const workers = [1, 2, 3, 4].map(async () => {
      for (let next = left.pop(); next; next = left.pop()) objections.push(await objection(kubectlCommand(next.argv)))
    })
    await Promise.all(workers)
    expect(objections).toHaveLength(forms.length)
    expect(objections.filter(said => said !== null)).toEqual([])
  })

  it.each([
    'kubectl get pods --no-such-flag',
    'kubectl no-such-command',
    'kubectl debug pod web --copy-to=a --target=b',
  ])('would object to %s', async line => {
    expect(await objection(line)).not.toBeNull()
  })
})
