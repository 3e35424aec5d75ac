import { editOwner, readLog } from '../commands.ts'
import { lastWords } from '../last-words.ts'
import { type ContainerRule, code, fact, lineFact } from '../rule.ts'
import { type AppFamily, logDraft, opening, said } from './app-log-draft.ts'

const abi: AppFamily = {
  id: 'app.cpu-or-kernel-abi',
  hint: /baseline optimizations|page size|illegal instruction|SIGILL|AVX|SSE4|x86-64-v|CPU|kernel too old|instruction|pthread_create failed: Operation not permitted|clone3|Function not implemented|ENOSYS/i,
  rows: [
    { pattern: /CPU does not support (?<feature>x86-64-v\d|[\w. ]{1,40})/, weight: 19 },
    {
      pattern: /requires? (?:a )?CPU with (?<feature>[\w.]+) support|requires? (?<need>AVX\d?|SSE4[.\w]*)/i,
      weight: 18,
    },
    {
      pattern: /compiled to use (?<feature>AVX\w*|SSE[\w.]+|FMA) instructions, but these aren't available/,
      weight: 19,
    },
    { pattern: /CPU (?:does not|doesn't) (?:support|have) (?:the )?(?<feature>[\w.]+) instruction/i, weight: 18 },
    { pattern: /Unsupported system page size/, weight: 19, note: 'kernel' },
    { pattern: /was built with baseline optimizations/, weight: 19 },
    { pattern: /kernel too old/i, weight: 19, note: 'kernel' },
    {
      pattern: /pthread_create failed: Operation not permitted|clone3.{0,40}(?:not permitted|not implemented)/,
      weight: 17,
      note: 'kernel',
    },
    { pattern: /Illegal instruction|\bSIGILL\b/i, weight: 18 },
    { pattern: /(?:Function not implemented|ENOSYS)/, weight: 9, note: 'kernel', isCertain: false },
  ],
  tell: (subject, match) => {
    const feature = match.groups['feature'] ?? match.groups['need']
    const isMongo = /mongo/i.test(subject.container.spec.image ?? '')
    const isKernel = match.row.note === 'kernel'
    const node = subject.view.pod?.spec?.nodeName
    const onNode = node === undefined ? 'the node' : `node ${code(node)}`
    const lacks = isKernel
      ? `it needs something that the kernel or the container runtime of ${onNode} does not offer`
      : `it uses an instruction that the node CPU (${onNode}) does not have${feature ? ` (${code(feature)})` : isMongo ? ' (MongoDB 5.0 and newer need AVX)' : ' – often AVX'}`
    return logDraft(subject, match, {
      confidence: feature !== undefined || isMongo || isKernel ? 'certain' : 'likely',
      because: `${lacks}. Its log says ${said(match)}.`,
      fix: [
        isKernel
          ? `Run it on nodes with a newer kernel and container runtime (${code('nodeSelector')}), or use an image built for an older one.`
          : `Place it on nodes whose CPU has the feature (${code('nodeSelector')} or node affinity on a label of that pool)${isMongo ? ', or use MongoDB 4.4' : ', or use an image built for an older CPU'}.`,
      ],
      avoid: ['Raising memory or changing probes: neither is involved.'],
    })
  },
}

const segfault: AppFamily = {
  id: 'app.segfault',
  hint: /segmentation|sigsegv|segfault|double free|corrupt|stack smashing/i,
  rows: [
    { pattern: /Fatal Python error: Segmentation fault/, weight: 18 },
    { pattern: /^#\s+SIGSEGV \(0x/, weight: 18 },
    { pattern: /segmentation fault|\bsegfault\b|\bSIGSEGV\b|signal 11\b/i, weight: 13 },
    {
      pattern:
        /double free or corruption|stack smashing detected|malloc(?:_consolidate)?\(\): |munmap_chunk\(\): invalid|corrupted size vs\. prev_size|free\(\): invalid/,
      weight: 15,
    },
  ],
  tell: (subject, match) => {
    // Go prints SIGSEGV for a nil pointer: the panic above it is the cause, an error of the program's own.
    const isGo = subject.lines
      .slice(Math.max(0, match.entry.index - 3), match.entry.index)
      .some(({ text }) => text.startsWith('panic: '))
    if (isGo || /^\[signal SIGSEGV/.test(match.entry.text)) return null
    // The kernel's memory killer and a heap limit speak for themselves.
    if (subject.lines.some(({ text }) => text.includes('heap out of memory'))) return null
    return logDraft(subject, match, {
      because: `the process crashes in native code (exit code 139 is 128 + SIGSEGV). Its log says ${said(match)}.`,
      fix: [
        `Update or pin the native library or extension that crashes in ${code(subject.name)}; the trace in the log names the last call.`,
        'Compare with the image that last worked: the same program on another base image (glibc or musl) or another CPU is the usual difference.',
      ],
      avoid: ['Raising the memory limit: 139 is no out-of-memory kill.'],
    })
  },
}

export const native: readonly AppFamily[] = [abi, segfault]

/** Base images whose C library calls into the kernel in a way that newer kernels no longer offer (vsyscall). */
const OLD_BASE =
  /(?:^|\/)(?:centos:?[56]|ubuntu:1[0-2]|debian:(?:[5-7]|lenny|squeeze|wheezy)|rhel:?6|amazonlinux:1)|centos6|el6\b|wheezy|squeeze/i

/**
 * A runtime's own words about an error nobody caught. The abort after it is a SIGSEGV for the first process of a
 * container, and Swift ends with an instruction that no CPU knows.
 */
const ABORTS =
  /^Unhandled exception|terminate called after throwing|^thread '[^']{1,80}' panicked|[Aa]ssertion [^\n]{1,200} failed|^panic: |^(?:[\w./-]{1,120}:\d+: )?Fatal error: |^Fatal Python error: (?!Segmentation)/

/** 132 and 139 tell by themselves how the process died, also where it wrote nothing about it. */
export const nativeExit: ContainerRule = subject => {
  const { container, moment, exitCode } = subject
  if ((exitCode !== 132 && exitCode !== 139) || !container.ended || subject.log.lines === null) return null
  if (moment !== 'looping' && moment !== 'failed') return null
  if (container.ended.terminated.reason === 'OOMKilled') return null
  if (subject.lines.slice(-80).some(({ text }) => ABORTS.test(text))) return null
  const last = lastWords(subject.lines)
  const isOld = OLD_BASE.test(container.spec.image ?? '')
  const isInstant = last === null && (container.ended.ranSeconds ?? 9) <= 1
  const node = subject.view.pod?.spec?.nodeName
  const onNode = node === undefined ? 'the node' : `node ${code(node)}`
  const wrote = last === null ? 'It wrote nothing.' : `The last thing it wrote is ${code(last.text.slice(0, 160))}.`
  const isCpu = exitCode === 132
  const isAbi = isCpu || (isOld && isInstant)
  const why = isCpu
    ? `illegal instruction (SIGILL): it was likely built for a CPU feature, often AVX, that the node CPU (${onNode}) does not have`
    : isAbi
      ? `segmentation fault (SIGSEGV) at once: the base image is older than what the kernel of ${onNode} still supports (vsyscall), likely`
      : `segmentation fault (SIGSEGV): the process crashes in native code${isInstant ? ', at once – possibly in the loader or the C library, for the CPU or kernel of this node' : ''}`
  return {
    id: isAbi ? 'app.cpu-or-kernel-abi' : 'app.segfault',
    confidence: 'likely',
    container: subject.name,
    summary: `${opening(subject)}: ${why}. ${wrote}`,
    evidence: [
      fact(`${container.ended.path}.exitCode`, `${exitCode}: 128 + signal ${isCpu ? '4, SIGILL' : '11, SIGSEGV'}`),
      fact(`${container.specPath}.image`, code(container.spec.image ?? '')),
      ...(last ? [lineFact(subject, last)] : []),
    ],
    fix: isAbi
      ? [
          `Place it on nodes with the CPU or kernel it was built for (${code('nodeSelector')}), or use an image built for this one.`,
        ]
      : [
          `Run ${code(container.spec.image ?? 'the image')} on another node and compare with the image that last worked: the native library that changed is the suspect. A core dump or ${code('PYTHONFAULTHANDLER=1')} (Python) names the call.`,
        ],
    avoid: ['Raising the memory limit: neither 132 nor 139 is an out-of-memory kill.'],
    commands: [readLog(subject), ...editOwner(subject.view)],
  }
}
