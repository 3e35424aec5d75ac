import type { Causes } from './cause.ts'

export const app: Causes = {
  'app.one-shot': {
    what: 'The program ends with 0, and `restartPolicy: Always` starts it again each time.',
    looksAt: 'exit code 0 without a probe that killed it, and the restart policy',
    todo: 'Keep the main process in the foreground, or run it as a Job.',
  },
  'app.bad-config': {
    what: 'A setting is missing or wrong, or a variable that Kubernetes injects is taken for one.',
    looksAt:
      'the line of the log that names the setting, the environment and mounts of the container, and Services whose links clash',
    todo: 'Set or correct that setting; turn `enableServiceLinks` off where a link is the fault.',
  },
  'app.dependency-unreachable': {
    what: 'The program ends because it does not reach something that it needs.',
    looksAt:
      'the line of the log, the address in or near it, and the Service behind that address: missing, without ready pods, other ports',
    todo: 'Mend what stands behind the address, or correct the address.',
  },
  'app.dependency-auth': {
    what: 'A data store or service answers, but does not accept the credentials or rights of the program.',
    looksAt: 'the refusal in the log, the user and host it names, and where the spec takes the password from',
    todo: 'Make the password equal the one the store was initialised with, or grant the right.',
  },
  'app.exec-format': {
    what: 'The program is built for another architecture, or is a script without a first line that names its interpreter.',
    looksAt: '`exec format error` from the runtime or as the only line of the log',
    todo: 'Build the image for the architecture of the node.',
  },
  'app.exec-not-runnable': {
    what: 'The program is there but cannot be executed: no execute bit, an interpreter that is missing, a directory.',
    looksAt: 'the message of the runtime, or the line that `exec` or a shell left, with its exit code',
    todo: 'Set the execute bit, install the interpreter, or write Unix line ends.',
  },
  'app.bind-denied': {
    what: 'The program may not listen on a port below 1024, because it does not run as root.',
    looksAt: 'the refusal in the log, the port, and the uid',
    todo: 'Use a port above 1024, or add NET_BIND_SERVICE.',
  },
  'app.port-in-use': {
    what: 'The port is taken in the pod or, with `hostNetwork`, on the node.',
    looksAt: 'the complaint in the log, the port, and other containers and pods that use it',
    todo: 'Give one of the two another port; one such pod fits on a node.',
  },
  'app.read-only-root': {
    what: 'The program must write to its root file system, which is read-only.',
    looksAt: 'the refusal in the log, the path, that no volume is mounted there, and `readOnlyRootFilesystem`',
    todo: 'Mount an `emptyDir` where it writes.',
  },
  'app.cpu-or-kernel-abi': {
    what: 'The program needs a CPU instruction or kernel interface that the node does not offer.',
    looksAt: 'what its log names, exit code 132, or a 139 at once from a very old base image',
    todo: 'Place it on nodes that have it, or use an image built for these.',
  },
  'app.runtime-heap': {
    what: 'The language runtime ran out of its own heap; the kernel killed nothing.',
    looksAt: 'the words of the runtime (Node, Java, Go, .NET, PHP, Python …), its heap setting and the memory limit',
    todo: 'Raise the heap setting together with the limit, or find what holds so much.',
  },
  'app.node-kernel-limit': {
    what: 'A limit of the node that pods share is reached or too low: inotify, `vm.max_map_count`, process ids, open files.',
    looksAt: 'the limit that the log names',
    todo: 'Raise it on the nodes; restarting the pod changes nothing.',
  },
  'app.dns-loop': {
    what: 'The DNS server of the cluster forwards queries to itself.',
    looksAt: 'what the `loop` plugin of CoreDNS logs, or a DNS server killed for memory soon after its start',
    todo: 'Give the kubelet or the Corefile real upstream servers instead of 127.0.0.53.',
  },
  'app.api-forbidden': {
    what: 'The Kubernetes API refuses what the service account of the pod does, or its token.',
    looksAt: 'the refusal in the log: account, verb, resource, namespace',
    todo: 'Bind a Role that allows just that, or use the account that has it.',
  },
  'app.cloud-identity': {
    what: 'The cloud refuses the identity of the pod, or it has none.',
    looksAt: 'the refusal in the log (AWS, Google, Azure), the action it names, and the service account',
    todo: 'Check the trust between service account and cloud identity, and the permissions of the latter.',
  },
  'app.missing-library': {
    what: 'A shared library, symbol or C library version is not in the image.',
    looksAt: 'the complaint of the loader in the log',
    todo: 'Install the package, or build against the C library of the base image.',
  },
  'app.missing-module': {
    what: 'A package, class or file of the program itself is not in the image.',
    looksAt: 'the complaint of the language in the log (Python, Node, Java, Ruby, PHP, .NET, Perl, R …)',
    todo: 'Build the image with it; see that no volume hides the directory.',
  },
  'app.segfault': {
    what: 'The process crashes in native code; neither CPU nor kernel is proven to be the cause.',
    looksAt: 'exit code 139, or the words of a memory fault in the log',
    todo: 'Compare with the image that last worked; update the native library that crashes.',
  },
  'app.permission': {
    what: 'The user of the container may not use a file or directory of the image.',
    looksAt: 'the refusal in the log, the path, that no volume is mounted there, and the uid',
    todo: 'Change the owner when the image is built, or mount scratch space there.',
  },
  'app.crash': {
    what: 'The program ends non-zero on an error of its own, or its log could not be read.',
    looksAt: 'exit code and the line of the log that matters, which is quoted',
    todo: 'Mend what that line names.',
  },
  'app.silent-exit': {
    what: 'The program ends non-zero and writes nothing.',
    looksAt: 'exit code and an empty log',
    todo: 'Run it with a shell or more logging.',
  },
}
