import type { Draft } from './rule.ts'

/** What a step says that finds its own work already there, whole or half done. */
export const LEFTOVER =
  /(?:[:\]] )file exists\b|\b(?:already exists|already exist)\b|Chain already exists|data directory [^\n]{0,80}(?:not empty|has files in it|exists but is not empty)|directory not empty|already initiali[sz]ed|Dirty database version|duplicate (?:column|key name|table)/i

/** What a run leaves that was cut off while it held a lock. */
const LOCK_LEFT =
  /Waiting for changelog lock|Could not acquire change ?log lock|[Mm]igration table is already locked|Dirty database version|database is dirty|failed migrations? in the target database|(?:[Dd]etected|contains a) failed migration|lock file[^\n]{0,80}(?:exists|already)|\b(?:pid|lock) file\b[^\n]{0,80}\balready\b|another (?:process|instance)[^\n]{0,40}(?:running|holds)/

/** True where a log line of a finding's evidence speaks of leftovers: what failed met what an earlier run made. */
export const speaksOfLeftovers = ({ evidence }: Draft): boolean =>
  evidence.some(
    ({ source, text }) => /^log of |\.message/.test(source) && (LEFTOVER.test(text) || LOCK_LEFT.test(text)),
  )
