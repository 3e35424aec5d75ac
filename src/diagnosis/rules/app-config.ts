import type { Match } from '../decisive-entry.ts'
import { service } from '../kubernetes.ts'
import { mountAt, volumeWords } from '../mounts.ts'
import { ownerOf, specHome } from '../owner.ts'
import { code, fact } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { fileRows, SETTINGS_FILE } from './app-config-file-rows.ts'
import { settingRows } from './app-config-rows.ts'
import { type AppFamily, around, logDraft, said } from './app-log-draft.ts'

const GROUPS_OF_NAMES =
  'setting name property key directive keyword command entry parameter variable field option file path open keys'.split(
    ' ',
  )

const VARIABLE = /^[A-Z][A-Z0-9_]+$/

/** What is at fault, by its name: of the line, else of the lines that follow it. */
const settingOf = (subject: Subject, match: Match): string | null => {
  const named = GROUPS_OF_NAMES.map(group => match.groups[group]).find(value => value !== undefined && value !== '')
  const { note } = match.row
  if (note === 'redis') {
    return around(subject, match, 4, 4).flatMap(text => /^>>> '(.{1,200})'/.exec(text)?.[1] ?? [])[0] ?? null
  }
  if (note !== 'pydantic' && note !== 'next' && note !== 'zod') return named ?? null
  const NAME = /^[\s"']*(?<name>-{0,2}[A-Za-z_][\w.-]{1,80})["']?:?(?:\s|$)/
  const beside = [...around(subject, match, 0, 12).slice(1), ...around(subject, match, 12, 0).slice(0, -1).toReversed()]
  const next = beside
    .flatMap(text => NAME.exec(text)?.groups?.['name'] ?? [])
    .find(word => note === 'pydantic' || VARIABLE.test(word) || /^\s*--/.test(word))
  return next ?? named ?? null
}

/** The Service whose links put `tcp://IP:PORT` into the environment. */
const linkOf = (
  subject: Subject,
  link: string | undefined,
): { readonly name: string | null; readonly isRead: boolean } => {
  const ip = /tcp:\/\/([\d.]+):/.exec(link ?? '')?.[1]
  const read = subject.view.known('services', service).find(({ spec }) => spec?.clusterIP === ip)?.metadata?.name
  if (read !== undefined) return { name: read, isRead: true }
  const owner = ownerOf(subject.view)
  const guess =
    owner?.kind === 'ReplicaSet' ? owner.name.replace(/-[a-z0-9]{6,10}$/, '') : (owner?.name ?? subject.name)
  return { name: guess, isRead: false }
}

const serviceLink = (subject: Subject, match: Match) => {
  const link =
    match.groups['link'] ?? around(subject, match, 2, 2).flatMap(text => /tcp:\/\/[\d.]+:\d+/.exec(text)?.[0] ?? [])[0]
  const { name, isRead } = linkOf(subject, link)
  const variable = `${(name ?? 'name').toUpperCase().replace(/[-.]/g, '_')}_PORT`
  return logDraft(subject, match, {
    confidence: isRead ? 'certain' : 'likely',
    because:
      `it takes a variable that Kubernetes injected for its own setting: ${isRead ? '' : 'likely '}${code(variable)}, which a Service named ${code(name ?? '')} ` +
      `puts into every pod of the namespace${link ? ` as ${code(link)}` : ''}. Its log says ${said(match)}.`,
    evidence: [fact('spec.enableServiceLinks', String(subject.view.pod?.spec?.enableServiceLinks ?? true))],
    fix: [
      `Set ${code('enableServiceLinks: false')} in the pod template of ${specHome(subject.view)}, or rename the Service, or set ${code(variable)} explicitly in ${code(subject.name)}.`,
    ],
    verify: ['The variable no longer holds a `tcp://` address in the new pod.'],
  })
}

const fixFor = (subject: Subject, setting: string | null): string => {
  const home = specHome(subject.view)
  const { container } = subject
  if (setting === null) return `Correct the setting that line names in ${home}.`
  if (VARIABLE.test(setting)) {
    const isGiven = (container.spec.env ?? []).some(({ name }) => name === setting)
    return `${isGiven ? 'Correct the value of' : 'Set'} ${code(setting)} in ${code('env')} (or through a ConfigMap or Secret) of ${code(subject.name)} in ${home}.`
  }
  if (setting.startsWith('-')) return `Correct ${code(setting)} in ${code('args')} of ${code(subject.name)} in ${home}.`
  return `Set or correct ${code(setting)} in the configuration that ${home} gives ${code(subject.name)}.`
}

const NOTES: Readonly<Record<string, (setting: string) => { because: string; fix?: string }>> = {
  'first-password': () => ({
    because: 'the database is empty and no password for its superuser is set',
    fix: 'Set `POSTGRES_PASSWORD` (or `MYSQL_ROOT_PASSWORD`, `MARIADB_ROOT_PASSWORD`) from a Secret.',
  }),
  discovery: () => ({
    because: 'it binds to a real address without discovery settings',
    fix: 'Set `discovery.type=single-node` for one node, or `discovery.seed_hosts` and `cluster.initial_master_nodes` for several.',
  }),
  resolver: host => ({
    because: `the resolver that its configuration names, ${code(host)}, does not exist: the DNS Service of this cluster has another Service name`,
    fix: `Set the ${code('resolver')} to the name (or clusterIP) of the DNS Service that ${code('kubectl -n kube-system get svc')} shows.`,
  }),
  database: name => ({
    because: `the database server answers, but has no database ${code(name)}`,
    fix: `Create database ${code(name)}, or correct the database name in the connection settings.`,
  }),
  token: () => ({
    because: 'it wants the token of its service account, and none is mounted',
    fix: 'Set `automountServiceAccountToken: true` on the pod (or the service account).',
  }),
}

const config: AppFamily = {
  id: 'app.bad-config',
  hint: /bucket|refusing|config|env|variable|setting|required|missing|not set|invalid|unknown|undefined|directive|option|argument|flag|propert|parameter|placeholder|[a-z]_[a-z]|tcp:\/\/|yaml|toml|field|key|password|discovery|resolver|database|unrecogni|unexpected|unbound|NotPresent|UR[LI]|DSN|literal|null|port|listeners|hostname|specify|heap size|Virtual Machine|load|pars|schem|command|token|validation|empty|server|certificate|PEM|tls|requirement|section|zod|transport|region|bind|must|DSN|driver|endpoint|incomplete|initial cluster|scanning/i,
  rows: [...settingRows, ...fileRows],
  tell: (subject, match) => {
    const { note } = match.row
    if (note === 'service-link') {
      // A URL that the settings themselves hold is none of Kubernetes' making.
      const link = match.groups['link']
      const isOwn = link !== undefined && JSON.stringify(subject.container.spec).includes(link)
      return isOwn || (link === undefined && !around(subject, match, 2, 2).length) ? null : serviceLink(subject, match)
    }
    // A schema may be about a request as well: only a variable makes it a setting.
    if (note === 'zod' && !VARIABLE.test(settingOf(subject, match) ?? '')) return null
    // `input.csv is empty`: a file of its data, no setting.
    if (
      note === 'dotted' &&
      /\.(?:csv|txt|parquet|bin|log|zip|gz|jpe?g|png|pdf|sql|tar|avro|xlsx?|html?)$/i.test(
        match.groups['setting'] ?? '',
      )
    )
      return null
    // A key of the program's own data may be in upper case, too.
    if (
      note === 'key-error' &&
      !/_/.test(match.groups['setting'] ?? '') &&
      !around(subject, match, 8, 0).some(text => /environ|getenv|ENV\b|settings|config/i.test(text))
    ) {
      return null
    }
    const setting = settingOf(subject, match) ?? match.groups['database'] ?? match.groups['base'] ?? null
    const special = note === undefined ? undefined : NOTES[note]?.(setting ?? '')
    const because =
      special?.because ??
      (setting === null ? 'a setting is missing or wrong' : `its setting ${code(setting)} is missing or wrong`)
    const index = (subject.container.spec.env ?? []).findIndex(({ name }) => name === setting)
    const evidence =
      setting !== null && VARIABLE.test(setting)
        ? [
            fact(
              `${subject.container.specPath}.env`,
              index < 0 ? `no ${code(setting)}` : `[${index}] is ${code(setting)}`,
            ),
          ]
        : []
    return logDraft(subject, match, {
      because: `${because}. Its log says ${said(match, 260)}.`,
      evidence,
      fix: [special?.fix ?? fixFor(subject, setting)],
      verify: [`${code(subject.name)} gets past that line after the rollout.`],
    })
  },
}

const ABSENT =
  /no such file or directory|ENOENT|FileNotFound|NoSuchFile|Could not find file|does not exist|\(2: No such file|cannot load certificate|not found/i

/** Why is not said: it is missing, or not this user's to read. */
const UNOPENED =
  /(?:unable to|cannot|can't|could not|failed to|error) (?:open|read)(?:ing)? [^\n]{0,40}["' ]\/[\w.@+~/-]{2,200}["']?\.?$/i

/** A file of settings that is not there. */
const missingFile: AppFamily = {
  id: 'app.bad-config',
  hint: new RegExp(`${ABSENT.source}|(?:open|read)(?:ing)? [^\\n]{0,60}/`, 'i'),
  rows: [
    {
      pattern:
        /no such file or directory|ENOENT|FileNotFound\w*|NoSuchFileException|Could not find (?:file|a part of the path)|[Cc]onfig File "?[^"]{1,80}"? Not Found|file (?:does not exist|not found)|cannot load certificate/i,
      weight: 9,
    },
    { pattern: UNOPENED, weight: 8, isCertain: false },
  ],
  tell: (subject, match) => {
    const { text } = match.entry
    // The runtime's own words about a program, a loader's about a library: other causes.
    if (/^exec |\.so\b|execve|: exec: |executable/.test(text)) return null
    const paths = [
      ...text.matchAll(/(?:^|[\s'"`(=:])((?:\.{0,2}\/)?[\w.@+~-]{1,100}(?:\/[\w.@+~-]{1,100}){0,12})/g),
    ].map(([, path]) => path ?? '')
    const path =
      paths.find(candidate => candidate.includes('/') && SETTINGS_FILE.test(candidate)) ??
      paths.find(candidate => SETTINGS_FILE.test(candidate))
    if (path === undefined) return null
    const clean = path.replace(/[.:]+$/, '')
    const mount = mountAt(subject, clean)
    if (!ABSENT.test(text)) {
      return logDraft(subject, match, {
        confidence: 'likely',
        because: `it cannot open ${code(clean)}, which it reads its settings from: the file is missing, or the user it runs as may not read it. Its log says ${said(match)}.`,
        fix: [
          `See whether ${code(clean)} exists in ${code(subject.name)} and who owns it${mount ? ` (${volumeWords(mount)} is mounted at ${code(mount.mountPath)})` : '; no volume is mounted there'}.`,
        ],
      })
    }
    return logDraft(subject, match, {
      because: `the file ${code(clean)} that it reads its settings from is not there${mount ? `; ${volumeWords(mount)} is mounted at ${code(mount.mountPath)} and does not hold it` : ', and no volume is mounted there'}. Its log says ${said(match)}.`,
      evidence: mount
        ? [fact(mount.path, `${code(mount.mountPath)} is ${volumeWords(mount)}`)]
        : [fact(`${subject.container.specPath}.volumeMounts`, `none at ${code(clean)}`)],
      fix: [
        mount
          ? `Add the key that becomes ${code(clean)} to ${volumeWords(mount)} (or correct ${code('items')} and ${code('subPath')} of that mount).`
          : `Mount the ConfigMap or Secret that holds ${code(clean)} into ${code(subject.name)} in ${specHome(subject.view)}, or correct the path.`,
      ],
    })
  },
}

export const settings: readonly AppFamily[] = [config, missingFile]
