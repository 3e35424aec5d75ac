import type { Match } from '../decisive-entry.ts'
import { type Mount, mountAt, runsAs, volumeWords } from '../mounts.ts'
import { code, fact } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { type AppFamily, around, logDraft, said } from './app-log-draft.ts'

const RELATIVE = /['"`]((?:\.\/)?[\w@+~-][\w.@+~-]{0,80}(?:\/[\w.@+~-]{1,80}){0,8})['"`]/
const PATH = /(?:^|[\s'"`‘“(=:[])(\/[\w.@+~/-]{1,250})/

/** The file or directory a line is about: the last absolute path before the refusal, else the first after it. */
const pathOf = (match: Match, refusal: RegExp): string | null => {
  const { text } = match.entry
  if (match.groups['path']) return match.groups['path']
  const at = refusal.exec(text)?.index ?? text.length
  const before = [...text.slice(0, at).matchAll(new RegExp(PATH, 'g'))].at(-1)?.[1]
  const found = before ?? PATH.exec(text.slice(at))?.[1] ?? RELATIVE.exec(text.slice(at))?.[1] ?? null
  return found === null ? null : found.replace(/[.:]+$/, '')
}

const mountFact = (mount: Mount) =>
  fact(mount.path, `${code(mount.mountPath)} is ${volumeWords(mount)}${mount.isReadOnly ? ', mounted read-only' : ''}`)

const READ_ONLY = /read-only file system|\bEROFS\b/i

const readOnly: AppFamily = {
  id: 'app.read-only-root',
  hint: READ_ONLY,
  rows: [{ pattern: READ_ONLY, weight: 16 }],
  tell: (subject, match) => {
    const path = pathOf(match, READ_ONLY)
    if (path?.startsWith('/proc/') || path?.startsWith('/sys/')) return null
    const mount = path === null ? null : mountAt(subject, path)
    const { container } = subject
    if (mount) {
      const isFixed =
        mount.kind === 'configMap' || mount.kind === 'secret' || mount.kind === 'projected' || mount.isReadOnly
      return logDraft(subject, match, {
        id: isFixed ? 'volume.unsuitable-mountpoint' : 'volume.other',
        confidence: isFixed ? 'certain' : 'likely',
        because: isFixed
          ? `it wants to write ${code(path ?? '')}, but that lies in ${volumeWords(mount)}, which is read-only. Its log says ${said(match)}.`
          : `${volumeWords(mount)}, mounted at ${code(mount.mountPath)}, has become read-only – likely after errors of its disk. Its log says ${said(match)}.`,
        evidence: [mountFact(mount)],
        fix: isFixed
          ? [
              `Copy the files of ${volumeWords(mount)} into an ${code('emptyDir')} first (an init container), or let ${code(subject.name)} write elsewhere.`,
            ]
          : [
              `Check the disk behind ${volumeWords(mount)} and its node for I/O errors; then mount it anew by recreating the pod.`,
            ],
      })
    }
    const setting = container.spec.securityContext?.readOnlyRootFilesystem
    const where = path === null ? 'its own root file system' : code(path)
    const directory = path === null ? 'the directory it writes to' : code(path.replace(/\/[^/]*$/, '') || '/')
    return logDraft(subject, match, {
      confidence: setting === true ? 'certain' : 'likely',
      because:
        `it must write ${where}, but its root file system is read-only (${code('readOnlyRootFilesystem')}${setting === true ? '' : ', likely'}). ` +
        `Its log says ${said(match)}.`,
      evidence: setting === true ? [fact(`${container.specPath}.securityContext.readOnlyRootFilesystem`, 'true')] : [],
      fix: [
        `Mount an ${code('emptyDir')} at ${directory} (and at ${code('/tmp')}) in ${code(subject.name)}; if the workload does not set ${code('readOnlyRootFilesystem')} itself, a policy (PodSecurityPolicy or an admission webhook) added it.`,
      ],
      avoid: [`Turning ${code('readOnlyRootFilesystem')} off where a policy asks for it.`],
    })
  },
}

const DENIED =
  /permission denied|\bEACCES\b|access to the path|AccessDeniedException|operation not permitted|\bEPERM\b|not writ(?:e?able)|not have permission|insufficient permission|wrong ownership|group or world access/i

/** A relative path lies in the mount that is named like its first part, or below `workingDir`. */
const mountOfRelative = (subject: Subject, path: string): Mount | null => {
  if (path.startsWith('/')) return null
  const { workingDir, volumeMounts } = subject.container.spec
  const below = workingDir ? mountAt(subject, `${workingDir}/${path}`) : null
  const first = path.replace(/^\.\//, '').split('/')[0]
  const named = (volumeMounts ?? []).find(({ mountPath }) => mountPath?.endsWith(`/${first}`))?.mountPath
  return below ?? (named ? mountAt(subject, named) : null)
}

/** The one volume with data of its own; a path that is not absolute, or not named, is likely below it. */
const onlyDataMount = (subject: Subject): Mount | null => {
  const mounts = (subject.container.spec.volumeMounts ?? []).flatMap(({ mountPath }) => {
    const mount = mountPath === undefined ? null : mountAt(subject, mountPath)
    return mount && /^(?:persistentVolumeClaim|hostPath|nfs)$/.test(mount.kind) ? [mount] : []
  })
  return mounts.length === 1 ? (mounts[0] ?? null) : null
}

const fixOf = (subject: Subject, mount: Mount, path: string): string => {
  const user = runsAs(subject)
  const who = user === null ? 'the user it runs as' : `uid ${user}`
  if (mount.kind === 'hostPath') {
    return `Give ${who} the directory ${code(mount.source ?? mount.mountPath)} on the node (${code('chown')} there): a hostPath ignores ${code('fsGroup')} – or use a PersistentVolumeClaim with ${code('securityContext.fsGroup')}.`
  }
  if (mount.kind === 'nfs') {
    return `Give ${who} the directory on the NFS server (root squash keeps ${code('chown')} and ${code('fsGroup')} from working), or run ${code(subject.name)} with the uid that owns it.`
  }
  if (mount.kind === 'secret' || mount.kind === 'configMap' || mount.kind === 'projected') {
    return `Set ${code('defaultMode')} of ${volumeWords(mount)} so that ${who} may read ${code(path)} (0440 with ${code('securityContext.fsGroup')}, or 0444).`
  }
  return `Set ${code('securityContext.fsGroup')} of the pod to a group of ${who}, so that the kubelet gives it ${code(mount.mountPath)}; or ${code('chown')} the volume once.`
}

const permission: AppFamily = {
  id: 'app.permission',
  hint: DENIED,
  rows: [
    { pattern: /Access to the path '(?<path>[^']{1,250})' is denied/, weight: 15 },
    { pattern: /GF_PATHS_DATA='(?<path>[^']{1,250})' is not writable/, weight: 15 },
    { pattern: /is not writ(?:e?able)/i, weight: 14 },
    {
      pattern:
        /data directory "(?<path>[^"]{1,250})" has (?:wrong ownership|group or world access|invalid permissions)/,
      weight: 17,
    },
    { pattern: DENIED, weight: 13 },
  ],
  tell: (subject, match) => {
    const { text } = match.entry
    // A shell's 126, a log-in, a bind, a database's or an API's refusal are no matter of files.
    if (
      subject.exitCode === 126 ||
      /\bbind\b|publickey|for (?:table|schema|relation|database|sequence|function)|rpc error|code = /i.test(text)
    )
      return null
    const path = pathOf(match, DENIED)
    // Without a path: the kernel's own code for it, or words about files around it.
    const isErrno = /\bos error 13\b|Errno 13\b|\bEACCES\b/.test(text) && !/listen|socket|connect/i.test(text)
    if (
      path === null &&
      !isErrno &&
      !around(subject, match, 6, 6).some(near => /open|mkdir|file|director|write|path/i.test(near))
    )
      return null
    if (path?.startsWith('/proc/') || path?.startsWith('/sys/')) return null
    const mount = path === null ? null : (mountAt(subject, path) ?? mountOfRelative(subject, path))
    const data = mount === null && !path?.startsWith('/') ? onlyDataMount(subject) : null
    const user = runsAs(subject)
    const who = user === null ? 'the user it runs as' : `uid ${user}`
    const userFact = user === null ? [] : [fact('securityContext.runAsUser', String(user))]
    if (mount && path !== null) {
      return logDraft(subject, match, {
        id: 'volume.permission',
        because: `${who} has no permission for ${code(path)} (permission denied), which lies in ${volumeWords(mount)}. Its log says ${said(match)}.`,
        evidence: [mountFact(mount), ...userFact],
        fix: [fixOf(subject, mount, path)],
        avoid: ['Running the container as root, or `chmod 777`.'],
      })
    }
    if (data) {
      return logDraft(subject, match, {
        id: 'volume.permission',
        confidence: 'likely',
        because: `${who} may not use ${path === null ? 'a file or directory' : code(path)} (permission denied), which likely lies in ${volumeWords(data)}, its only data volume, at ${code(data.mountPath)}. Its log says ${said(match)}.`,
        evidence: [mountFact(data), ...userFact],
        fix: [fixOf(subject, data, path ?? data.mountPath)],
        avoid: ['Running the container as root, or `chmod 777`.'],
      })
    }
    return logDraft(subject, match, {
      because: `${who} may not use ${path === null ? 'a file or directory' : code(path)} (permission denied)${path?.startsWith('/') ? '; it belongs to the image, no volume is mounted there' : ''}. Its log says ${said(match)}.`,
      evidence: userFact,
      fix: [
        `Give ${path === null ? 'that file' : code(path)} to the user the container runs as when the image is built (${code('chown')} in the Dockerfile), correct ${code('securityContext.runAsUser')}, or mount an ${code('emptyDir')} there if it is only scratch space.`,
      ],
      avoid: ['Running the container as root, or `chmod 777`.'],
    })
  },
}

const BUSY = /device or resource busy|\bEBUSY\b|resource busy or locked/i
const DIRECTORY = /is a directory|\bEISDIR\b|IsADirectoryError/i

const unsuitable: AppFamily = {
  id: 'volume.unsuitable-mountpoint',
  hint: /lost\+found|mount point|busy|is a directory|\bEISDIR\b|IsADirectory/i,
  rows: [
    { pattern: /lost\+found|mount point directly as the data directory/, weight: 20 },
    { pattern: BUSY, weight: 14, note: 'busy' },
    { pattern: DIRECTORY, weight: 13, note: 'directory' },
  ],
  tell: (subject, match) => {
    const { note } = match.row
    const near = [match.entry.text, ...around(subject, match, 3, 3)].join('\n')
    const path =
      note === 'busy'
        ? pathOf(match, BUSY)
        : note === 'directory'
          ? pathOf(match, DIRECTORY)
          : (PATH.exec(near)?.[1] ?? null)
    const mount = path === null ? null : mountAt(subject, path)
    if (note === 'busy' || note === 'directory') {
      if (!mount || mount.mountPath !== path) return null
      const isBusy = note === 'busy'
      return logDraft(subject, match, {
        because: isBusy
          ? `it wants to replace ${code(path)}, but that file is itself a mount (${code('subPath')}) of ${volumeWords(mount)} and cannot be renamed. Its log says ${said(match)}.`
          : `it wants a file at ${code(path)}, but ${volumeWords(mount)} is mounted there as a directory. Its log says ${said(match)}.`,
        evidence: [mountFact(mount)],
        fix: isBusy
          ? [
              `Mount the directory of ${code(path)} instead of the single file, or copy it into an ${code('emptyDir')} first (an init container).`,
            ]
          : [
              `Set ${code('subPath')} of that mount to the key or file name that is meant, or mount it at the directory.`,
            ],
      })
    }
    const isPostgres = /initdb|postgres/i.test(near) || /postgres/i.test(subject.container.spec.image ?? '')
    return logDraft(subject, match, {
      because: `it refuses ${path === null ? 'its data directory' : code(path)}, because the disk mounted there has ${code('lost+found')} in its root: a fresh file system is not an empty directory. Its log says ${said(match)}.`,
      evidence: mount ? [mountFact(mount)] : [],
      fix: [
        isPostgres
          ? `Set ${code('PGDATA')} to a subdirectory of the mount (${code(`${mount?.mountPath ?? path ?? ''}/pgdata`)}), or mount the volume with ${code('subPath')}: a PGDATA subdirectory or subPath is empty at first.`
          : `Mount the volume with ${code('subPath')} (or use a subdirectory of it as the data directory).`,
      ],
      avoid: [`Deleting ${code('lost+found')}: it comes back with the next file system check.`],
    })
  },
}

export const files: readonly AppFamily[] = [unsuitable, readOnly, permission]
