/** What `podwhy --help` prints. */
export const help = `podwhy answers one question: why isn't this pod healthy?

podwhy explain TARGET        explains a pod or workload of a cluster
podwhy explain NAMESPACE/    explains all pods of a namespace that are not healthy
podwhy explain -f FILE       explains recordings, Pods or Lists of a file (- for stdin; JSON, JSON Lines, YAML)
podwhy record TARGET         prints what explain would read, without secrets, to explain later or elsewhere
podwhy check                 says what the credentials may do and what the configuration lacks
podwhy serve                 answers in Slack, or on a local page without Slack

TARGET is [CONTEXT:][NAMESPACE/][KIND/]NAME

  -n, --namespace NAMESPACE  of the target
      --context CONTEXT      of the kubeconfig
  -o, --output FORMAT        text, json or slack
      --at TIME              when a Pod of a file was read (RFC 3339); without it no relative times are told
      --color WHEN           auto, always or never
      --role ROLE            of serve: all, bot or worker
  -h, --help
      --version

Exit status: 0 healthy or completed, 1 anything else explained, 2 wrong usage, unknown target or nothing readable.
`
