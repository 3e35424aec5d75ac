/** What the OCI runtime says when it cannot start a container; runc's and crun's wordings, matched in this order. */
export interface StartMessage {
  readonly id: string
  readonly pattern: RegExp
  /** After `X never started: `; `$1`, `$2` are the pattern's groups. */
  readonly means: string
  readonly fix: string
}

export const startMessages: readonly StartMessage[] = [
  {
    id: 'start.args-replace-cmd',
    pattern: /(?:exec: "|executable file `)(-[^"`]*)["`]:? (?:executable file )?not found/,
    means:
      "the runtime tried to execute `$1` as the program (executable file not found). `args` replaces the image's CMD, and the image has no ENTRYPOINT that the args could belong to",
    fix: 'Set `command` to the program (or give the image an ENTRYPOINT), so that `args` are only its arguments',
  },
  {
    id: 'start.command-not-found',
    pattern:
      /exec: "([^"]+)": (?:executable file not found in \$PATH|stat [^:]+: no such file or directory|no such file or directory)/,
    means: 'the program `$1` is not in the image (or not in its `$PATH`)',
    fix: 'Correct `command` – `$1` must exist in the image at just that path – or use the image that contains it',
  },
  {
    id: 'start.command-not-found',
    pattern: /executable file `([^`]+)` not found/,
    means: 'the program `$1` is not in the image (or not in its `$PATH`)',
    fix: 'Correct `command` – `$1` must exist in the image at just that path – or use the image that contains it',
  },
  {
    id: 'app.exec-not-runnable',
    pattern: /exec: "([^"]+)": (?:permission denied|is a directory)/,
    means: '`$1` is there but cannot be executed (no execute permission, a directory, or a noexec mount)',
    fix: 'Give `$1` the execute bit in the image (`chmod +x`), or run it through its interpreter',
  },
  {
    id: 'app.exec-not-runnable',
    pattern: /the path `([^`]+)` (?:exists but it is not executable|is not a regular file)/,
    means: '`$1` is there but cannot be executed',
    fix: 'Give `$1` the execute bit in the image (`chmod +x`), or run it through its interpreter',
  },
  {
    id: 'app.exec-format',
    pattern: /exec format error/i,
    means:
      'the program is built for another architecture than the node’s (exec format error), or is a script without a first line that names its interpreter',
    fix: 'Build and push the image for the architecture of the node',
  },
  {
    id: 'start.capability-denied',
    pattern: /unable to apply (?:caps|bounding set)/,
    means: 'the node or runtime refuses a capability that its `securityContext` asks for',
    fix: 'Drop that capability from `securityContext.capabilities.add`, or use a node whose runtime grants it',
  },
  {
    id: 'start.runtime-error',
    pattern: /mkdir ([^:]+): not a directory/,
    means:
      '`$1` is to be a directory but is a file there (not a directory); `workingDir` and mount paths must be directories',
    fix: 'Correct `workingDir` (or the `mountPath`) so that it names a directory, not the file `$1`',
  },
  {
    id: 'start.runtime-error',
    pattern: /chdir to cwd \("([^"]+)"\)[^:]*: ([a-z ]+)/,
    means: 'its working directory `$1` cannot be entered ($2)',
    fix: 'Correct `workingDir`: `$1` must be a directory that the user of the container may enter',
  },
  {
    id: 'start.runtime-error',
    pattern: /failed to write "?(\d+)"? to memory\.limit_in_bytes/,
    means:
      'its memory limit of $1 bytes is smaller than the container runtime itself needs to start it (memory.limit_in_bytes)',
    fix: 'Raise the memory limit (`resources.limits.memory`), to 50Mi or more',
  },
  {
    id: 'start.runtime-error',
    pattern: /container init was OOM-killed|the memory limit could be too low|read init-p: connection reset by peer/,
    means: 'its memory limit is too small even to start it: the runtime’s own start-up process is killed for memory',
    fix: 'Raise the memory limit (`resources.limits.memory`), to 50Mi or more',
  },
  {
    id: 'start.runtime-error',
    pattern: /volume-subpaths\/([^/"]+)/,
    means:
      'a `subPath` mount of volume `$1` cannot be made: what it names is missing, of another kind, or was replaced while the container restarted',
    fix: 'Correct the `subPath` of volume `$1`; if the ConfigMap or Secret behind it was changed, delete the pod so that it is mounted anew',
  },
  {
    id: 'start.runtime-error',
    pattern: /error mounting "([^"]+)" to rootfs at "([^"]+)"/,
    means: '`$1` cannot be mounted at `$2`',
    fix: 'Correct the `volumeMounts` entry for `$2`: file on file and directory on directory, below a writable path',
  },
  {
    id: 'start.runtime-error',
    pattern: /nvidia-container-cli: (.{0,120})/,
    means: 'the GPU hook on the node fails: `$1`',
    fix: 'Repair the GPU driver or container toolkit on the node, or place the pod on another one',
  },
]
