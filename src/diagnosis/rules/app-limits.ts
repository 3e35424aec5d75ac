import { code, fact } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { type AppFamily, logDraft, said } from './app-log-draft.ts'

/** A heap setting of the container's command, arguments or environment. */
const heapSetting = ({ container }: Subject): { readonly text: string; readonly source: string } | null => {
  const SETTING =
    /--max-old-space-size[= ]\d+|-Xm[xs]\d+\w?|-XX:MaxRAMPercentage=[\d.]+|memory_limit[= ]\S+|--max-semi-space-size=\d+/
  const words = [...(container.spec.command ?? []), ...(container.spec.args ?? [])].join(' ')
  const inWords = SETTING.exec(words)
  if (inWords) return { text: inWords[0], source: `${container.specPath}.command` }
  for (const [index, { name, value }] of (container.spec.env ?? []).entries()) {
    const found = SETTING.exec(value ?? '')
    if (found) return { text: `${name}=${found[0]}`, source: `${container.specPath}.env[${index}]` }
  }
  return null
}

const knobOf = (text: string): string =>
  /JavaScript|heap limit|mark-compacts|v8/i.test(text)
    ? '`--max-old-space-size` (in `NODE_OPTIONS`)'
    : /OutOfMemoryError|Java|object heap|\bVM\b/.test(text)
      ? '`-Xmx` or `-XX:MaxRAMPercentage` (in `JAVA_TOOL_OPTIONS`)'
      : /Allowed memory size/.test(text)
        ? '`memory_limit` (php.ini)'
        : /OutOfMemoryException|GC heap/.test(text)
          ? '`DOTNET_GCHeapHardLimit`'
          : "the runtime's own memory setting"

const heap: AppFamily = {
  id: 'app.runtime-heap',
  hint: /memory|heap|alloc/i,
  rows: [
    { pattern: /JavaScript heap out of memory/, weight: 20 },
    { pattern: /Reached heap limit|Ineffective mark-compacts near heap limit/, weight: 20 },
    {
      pattern:
        /java\.lang\.OutOfMemoryError: (?!unable to create)(?<space>Java heap space|Metaspace|GC overhead limit exceeded|Compressed class space|Direct buffer memory|Cannot reserve [\w ]{1,60}|Requested array size exceeds VM limit)/,
      weight: 20,
    },
    { pattern: /OutOfMemoryError: (?!unable to create)/, weight: 18 },
    {
      pattern:
        /Could not reserve enough space for (?:the |\d{1,12}[KMG]?B? )?object heap|insufficient memory for the Java Runtime Environment/,
      weight: 18,
    },
    { pattern: /System\.OutOfMemoryException|GC heap initialization failed/, weight: 18 },
    { pattern: /Allowed memory size of (?<size>\d+) bytes exhausted/, weight: 19 },
    { pattern: /fatal error: (?:runtime: )?(?:out of memory|cannot allocate memory)/, weight: 19 },
    { pattern: /^MemoryError\b|numpy\.\w[\w.]{0,40}ArrayMemoryError/, weight: 18 },
    { pattern: /failed to allocate memory \(NoMemoryError\)|NoMemoryError/, weight: 18 },
    { pattern: /eheap_alloc: Cannot allocate/, weight: 19 },
    { pattern: /memory allocation of \d+ bytes failed/, weight: 18 },
    { pattern: /std::bad_alloc|what\(\):\s+std::bad_alloc/, weight: 17 },
    { pattern: /Out Of Memory allocating \d+ bytes/, weight: 17 },
  ],
  tell: (subject, match) => {
    const { container } = subject
    if (container.ended?.terminated.reason === 'OOMKilled') return null
    const setting = heapSetting(subject)
    const limit = container.spec.resources?.limits?.['memory']
    const knob = knobOf(match.entry.text)
    return logDraft(subject, match, {
      because:
        `its language runtime ran out of its own heap${setting ? ` (${code(setting.text)})` : ''}. ` +
        `This is not an OOM kill by the kernel: the container's memory limit${limit === undefined ? '' : ` (${code(limit)})`} was not what stopped it. Its log says ${said(match, 140)}.`,
      evidence: [
        ...(setting ? [fact(setting.source, code(setting.text))] : []),
        fact(`${container.ended?.path}.reason`, code(container.ended?.terminated.reason ?? '')),
      ],
      fix: [
        `Raise ${knob}${setting ? `, now ${code(setting.text)},` : ''} of ${code(subject.name)} to about three quarters of ${code('resources.limits.memory')}${limit === undefined ? '' : ` (${limit})`}, and that limit with it where it is too small – or find what holds so much.`,
      ],
      avoid: ['Raising the memory limit alone: the runtime does not use more than its own heap limit.'],
      verify: ['Heap use after start levels off below the new limit.'],
    })
  },
}

const kernel: AppFamily = {
  id: 'app.node-kernel-limit',
  hint: /max_map_count|inotify|watch|open files|EMFILE|ENFILE|ENOSPC|thread|fork|pid|aio|shm|sysctl|descriptors|no space left/i,
  rows: [
    {
      pattern: /(?<sysctl>vm\.max_map_count) \[(?<has>\d+)\] (?:is|likely) too low[^\d]{1,40}\[?(?<needs>\d+)/,
      weight: 20,
    },
    { pattern: /(?<sysctl>vm\.max_map_count)\b.{0,80}too low/, weight: 19 },
    {
      pattern: /configured user limit \(\d+\) on the number of inotify instances/,
      weight: 20,
      note: 'fs.inotify.max_user_instances',
    },
    {
      pattern:
        /inotify[_ ]?init\w*[^\n]{0,60}too many open files|fsnotify watcher: too many open files|inotify instances?[^\n]{0,40}(?:limit|too many)/i,
      weight: 20,
      note: 'fs.inotify.max_user_instances',
    },
    {
      pattern:
        /System limit for number of file watchers reached|inotify[^\n]{0,80}no space left on device|no space left on device[^\n]{0,60}inotify|inotify watch(?:es)? limit|(?<sysctl>fs\.inotify\.max_user_watches)/i,
      weight: 20,
      note: 'fs.inotify.max_user_watches',
    },
    { pattern: /(?<sysctl>fs\.inotify\.max_user_instances)/, weight: 19 },
    { pattern: /too many open files in system|\bENFILE\b/i, weight: 17, note: 'fs.file-max' },
    {
      pattern:
        /unable to create (?:new )?native thread|can't start new thread|failed to create new OS thread|pthread_create[^\n]{0,40}(?:Resource temporarily unavailable|failed \(EAGAIN\)|errno=11)|fork: (?:retry: )?Resource temporarily unavailable|[Cc]an(?:no|')t fork|fork\/exec [^\s]{1,200}: resource temporarily unavailable/i,
      weight: 18,
      note: 'pids',
    },
    { pattern: /(?<sysctl>fs\.aio-max-nr|\/proc\/sys\/fs\/aio-max-nr)/, weight: 18 },
    {
      pattern:
        /max file descriptors \[\d+\][^\n]{0,60}too low|max number of threads \[\d+\][^\n]{0,60}too low|memory locking requested for \w+ process but memory is not locked/,
      weight: 17,
      note: 'ulimit',
    },
    {
      pattern:
        /(?<sysctl>(?:kernel|vm|net|fs)\.[a-z_.]{3,40})[^\n]{0,40}(?:is too (?:low|small)|must be (?:at least|increased|set)|needs? to be)/,
      weight: 16,
    },
    { pattern: /too many open files|\bEMFILE\b/i, weight: 13, note: 'ulimit', isCertain: false },
  ],
  tell: (subject, match) => {
    const name = match.groups['sysctl']?.replace('/proc/sys/fs/', 'fs.') ?? match.row.note ?? ''
    const node = subject.view.pod?.spec?.nodeName
    const onNode = node === undefined ? 'the node' : `node ${code(node)}`
    const { has, needs } = match.groups
    const what =
      name === 'pids'
        ? `no more processes or threads can be started: the pid limit of the pod or of ${onNode} is reached`
        : name === 'ulimit'
          ? /open files|EMFILE/i.test(match.entry.text)
            ? `it may open no more files (ulimit) – or, said with the same words, no more inotify instances: ${code('fs.inotify.max_user_instances')} is shared by all pods of ${onNode}`
            : 'a resource limit (ulimit) that the container runtime gives every container is too low for it'
          : `the kernel setting ${code(name)} of ${onNode} is too low${has && needs ? ` (${has}, it needs ${needs})` : ''}; all pods of a node share it`
    return logDraft(subject, match, {
      because: `${what}. Its log says ${said(match)}.`,
      fix: [
        name === 'pids'
          ? `Find what starts so many (${code(subject.name)} or a neighbour), or raise the kubelet's ${code('podPidsLimit')} on the node.`
          : name === 'ulimit'
            ? `Raise ${code('LimitNOFILE')} (or the limit named) in the container runtime's service on the nodes, or lower what ${code(subject.name)} opens${/open files|EMFILE/i.test(match.entry.text) ? `; where it watches files, raise ${code('fs.inotify.max_user_instances')} on the nodes` : ''}.`
            : `Set ${code(needs ? `${name}=${needs}` : name)} higher on the nodes (a node pool setting, or a privileged DaemonSet or init container that runs ${code(`sysctl -w ${name}=…`)} as root).`,
      ],
      avoid: ['Restarting the pod: the limit belongs to the node, not to the pod.'],
    })
  },
}

const ulimit: AppFamily = {
  id: 'oom.ulimit-allocation',
  hint: /alloc/i,
  rows: [
    {
      pattern:
        /(?:ch_[mcr]\w*alloc|[xc]alloc|[Uu]nable to allocate|[Ff]ailed to allocate|[Cc]annot allocate)[^\n]{0,60}\b(?<count>1048576|1073741(?:816|824)|1048577|2147483\d{3})\b/,
      weight: 20,
    },
  ],
  tell: (subject, match) =>
    logDraft(subject, match, {
      because: `it sizes a table by the limit on open files (${code(match.groups['count'] ?? '')}), which the container runtime sets very high, and cannot get that much memory. Its log says ${said(match)}.`,
      fix: [
        `Lower the limit on open files for ${code(subject.name)} (${code('ulimit -n 65536')} at the start of its command), or ${code('LimitNOFILE')} in the container runtime's service on the nodes.`,
      ],
      avoid: ['Raising the memory limit: the table grows with the limit on open files, not with the load.'],
    }),
}

export const limits: readonly AppFamily[] = [heap, kernel, ulimit]
