/** What a runtime, a shell or an init program leaves in the log when a program cannot be executed. */
export interface ExecLine {
  readonly id: string
  readonly pattern: RegExp
  readonly means: string
  readonly fix: string
  /** Exit codes with which such a line ended the container; with others the program went on after it. */
  readonly codes: readonly number[]
}

/** runc's 1 (up to 1.1) and 255, and what shells make of the same failure. */
const BY_RUNTIME: readonly number[] = [1, 126, 127, 255]
/** dumb-init ends with 2, s6 with 111. */
const BY_INIT: readonly number[] = [...BY_RUNTIME, 2, 111]

/** In the order of matching; the first group that matches is the program. */
export const execLines: readonly ExecLine[] = [
  // Init programs: tini, dumb-init, s6-overlay and execline.
  {
    id: 'start.command-not-found',
    pattern:
      /^\[FATAL tini[^\]]*\] exec (\S+) failed: No such file or directory|^\[dumb-init\] (\S+): No such file or directory|fatal: unable to exec (\S+): No such file or directory/,
    means: 'the program `$1` is not in the image',
    fix: 'Correct `command` (or the image’s ENTRYPOINT): `$1` must exist in the image',
    codes: BY_INIT,
  },
  {
    id: 'app.exec-not-runnable',
    pattern:
      /^\[FATAL tini[^\]]*\] exec (\S+) failed: Permission denied|^\[dumb-init\] (\S+): Permission denied|fatal: unable to exec (\S+): Permission denied/,
    means: '`$1` cannot be executed: permission denied',
    fix: 'Give `$1` the execute permission in the image (`chmod +x`), or run it through its interpreter',
    codes: BY_INIT,
  },
  {
    id: 'app.exec-format',
    pattern: /^\[FATAL tini[^\]]*\] exec (\S+) failed: Exec format error|^\[dumb-init\] (\S+): Exec format error/,
    means: 'its program `$1` cannot run on this node: exec format error',
    fix: 'Build the image for the architecture of the node (or a multi-platform image)',
    codes: BY_INIT,
  },
  // A first line such as `#!/usr/bin/env python3`: env names the interpreter that it does not find.
  {
    id: 'app.exec-not-runnable',
    pattern: /^(?:\/usr\/bin\/)?env: (?:can't execute )?['‘`"]?([\w./-]+)(?:\\r|\r)['’`"]?: No such file or directory/,
    means: 'the first line of its script ends with a carriage return, so `env` looks for `$1\\r`, which does not exist',
    fix: 'Give the script Unix line ends (`dos2unix`, `.gitattributes` with `eol=lf`); `$1` itself may well be there',
    codes: [127],
  },
  {
    id: 'app.exec-not-runnable',
    pattern: /^(?:\/usr\/bin\/)?env: (?:can't execute )?['‘`"]?([\w./-]+)['’`"]?: No such file or directory/,
    means: 'the first line of its script asks `env` for `$1`, and that interpreter is not in the image',
    fix: 'Install `$1` in the image, or change the first line of the script to an interpreter that is there',
    codes: [127],
  },
  {
    id: 'app.exec-format',
    pattern:
      /^(?:exec (\S+): |.*exec user process caused.*|.*(?:cannot execute(?: binary file)?|exec container process).*)[Ee]xec format error/,
    means:
      'its program `$1` cannot run on this node: exec format error – it is built for another architecture, or is a script without a `#!` line',
    fix: 'Build the image for the architecture of the node (or a multi-platform image), or name the interpreter in `command`',
    codes: BY_RUNTIME,
  },
  {
    id: 'app.exec-not-runnable',
    pattern: /^exec (\S+): no such file or directory$|exec user process caused[: "]+no such file or directory/,
    means:
      '`$1` is there, but the interpreter named in its first line is not in the image, or its first line ends with a carriage return (no such file or directory)',
    fix: 'Install that interpreter in the image, or change the first line of `$1` to one that is there, such as `#!/bin/sh`, with Unix line ends',
    codes: BY_RUNTIME,
  },
  {
    id: 'app.exec-not-runnable',
    pattern:
      /^exec (\S+): (?:permission denied|operation not permitted)$|exec user process caused[: "]+(?:permission denied|operation not permitted)/i,
    means: '`$1` cannot be executed: permission denied',
    fix: 'Give `$1` the execute permission in the image (`chmod +x`), or run it through its interpreter',
    codes: BY_RUNTIME,
  },
  {
    id: 'app.exec-not-runnable',
    pattern:
      /^(?:\S+: )?(?:line )?(?:\d+: )?(?:exec: )?(?:line \d+: )?(\/\S+): (?:Permission denied|cannot execute: .*|bad interpreter: .*)$/,
    means: '`$1` cannot be executed: Permission denied, it lacks the execute permission',
    fix: 'Give `$1` the execute permission: `chmod +x` in the image, `defaultMode: 0755` on a ConfigMap volume, or run it as `sh $1`',
    codes: [126],
  },
  {
    id: 'start.command-not-found',
    pattern: /^(?:.*: )?(?:line )?(?:\d+: )?(?:exec: )?(?:line \d+: )?([\w./@+-]+): (?:command )?not found$/,
    means: 'the command `$1` is not in the image',
    fix: 'Install `$1` in the image, correct its name or path, or put its directory into `PATH`',
    codes: [127],
  },
  {
    id: 'start.command-not-found',
    pattern: /^(?:.*: )?(?:exec: )?(?:line \d+: )?(\/[\w./@+-]+): No such file or directory$/,
    means: 'the program `$1` is not in the image',
    fix: 'Correct the path `$1`, or use an image that contains it',
    codes: [127],
  },
]
