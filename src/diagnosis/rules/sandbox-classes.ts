/** What a sandbox failure means. */
export interface SandboxClass {
  readonly id: string
  /** Sentence part before `on node …`. */
  readonly what: string
  /** `{node}` stands for the node's name. */
  readonly fix: readonly string[]
  readonly avoid?: readonly string[]
  readonly isLikely?: boolean
}

const RUNTIME_SOCKET = /(?:containerd|crio|cri-dockerd|docker|dockershim)(?:\/[a-z.-]*)?\.sock/
const NETWORK_NOT_READY =
  /cni plugin not initialized|cni config (?:un|not )initialized|NetworkPluginNotReady|no networks found in|no valid networks found/i
const PAUSE = /failed to get sandbox image|pull(?:ing)? (?:sandbox |pause )?image "?[^"\s]*pause|sandbox image/i
const NO_ADDRESS =
  /failed to assign an IP address|no (?:more )?(?:free |available )?IPs? (?:addresses? )?(?:available|left)|no IP addresses available|no available (?:IP|address)|range is full|all IP(?:s| addresses) .{0,40}(?:used|allocated)|insufficient ?free ?addresses|out of (?:IPs|IP addresses)|(?:pool|subnet)s? .{0,40}exhausted|Assigned 0 out of|no more free affine blocks|failed to allocate for range|no free (?:IP|address)/i
const NO_RANGE = /pod ?cidr (?:is )?not (?:assigned|available|set)|no podCIDR/i
const NETWORK =
  /set ?up (?:pod )?network|NetworkPlugin cni|pod network sandbox|network for (?:pod|sandbox)|CNI network|plugin type=|find plugin|cni[\s:]/i

/** What is known of single plugins: which daemon it belongs to, and what to look at. */
const PLUGINS: readonly (readonly [RegExp, string])[] = [
  [
    /calico\/node|calico|nodename/i,
    "Look at the calico-node pod on {node}: it must be ready, and its manifest must have the hostPath mount of `/var/lib/calico`; after an upgrade apply that version's whole manifest.",
  ],
  [/aws-cni|127\.0\.0\.1:50051/, 'Look at the aws-node pod on {node} and its log.'],
  [/cilium/i, 'Look at the cilium agent on {node} and its log.'],
  [
    /flannel|subnet\.env/i,
    'Look at the kube-flannel pod on {node}: it writes `/run/flannel/subnet.env` when it is up.',
  ],
  [/weave/i, 'Look at the weave-net pod on {node}.'],
  [/multus/i, 'Look at the multus pod on {node} and the NetworkAttachmentDefinition that the pod names.'],
  [/linkerd-cni|istio-cni/i, "Look at the mesh's CNI pod on {node}; without it no meshed pod gets a network."],
  [/ovn|openshift-sdn|ovs/i, 'Look at the OVN/SDN node pod on {node}.'],
  [/azure-vnet/i, 'Look at the azure-cns pod on {node}.'],
]

const cniFix = (said: string): readonly string[] => {
  const bridge = /"?([a-z0-9.-]+)"? already has an IP address different from (\S+)/.exec(said)
  if (bridge)
    return [
      `Make the subnet of the bridge plugin on {node} agree with the address of \`${bridge[1]}\` (it wants \`${bridge[2]}\`), or delete that bridge so that it is made anew; the pod is retried by itself.`,
    ]
  const plugin = /find plugin "([^"]+)" in path \[([^\]]*)\]/.exec(said)
  const known = PLUGINS.find(([words]) => words.test(said))?.[1]
  if (plugin)
    return [
      `Install the \`${plugin[1]}\` plugin in \`${plugin[2]}\` on {node} (the network add-on's install step does it), or correct the file in \`/etc/cni/net.d\` that names it.`,
      ...(known ? [known] : []),
    ]
  return [known ?? 'Look at the network add-on (CNI) on {node}: its pod, its log, its files in `/etc/cni/net.d`.']
}

const addressFix = (said: string): string => {
  if (/aws-cni|assign an IP address/.test(said))
    return 'The subnet (or the ENI limit) of {node} has no free address: add larger or more subnets, use prefix delegation or a secondary CIDR, or free addresses.'
  const range = /range set: (\S+)/.exec(said)?.[1]
  return `Enlarge the pod IP range of {node}${range ? ` (\`${range}\`)` : ''}, or free addresses: leases of pods that are long gone can be left over (host-local keeps them in \`/var/lib/cni/networks\`).`
}

/** What a sandbox failure is, by the runtime's words (containerd, CRI-O and Docker-shaped). */
export const sandboxClass = (said: string, reason: string, isWithoutRange: boolean): SandboxClass => {
  const image = /sandbox image "([^"]+)"|image "?([^"\s]*pause[^"\s]*)"?/.exec(said)
  if (PAUSE.test(said)) {
    const name = image?.[1] ?? image?.[2]
    return {
      id: 'sandbox.pause-image-pull',
      what: `the sandbox (pause) image${name ? ` \`${name}\`` : ''} cannot be pulled`,
      fix: [
        `On {node} set the sandbox image in the container runtime's configuration to one that exists and can be pulled there${name ? ` (now \`${name}\`)` : ''} – containerd: \`pinned_images.sandbox\` or \`sandbox_image\`; CRI-O: \`pause_image\` –, or make that registry reachable; restart the runtime. The pod goes on by itself.`,
      ],
    }
  }
  const isNetwork = NETWORK.test(said)
  if (reason === 'NetworkNotReady' || NETWORK_NOT_READY.test(said))
    return {
      id: 'node.network-not-ready',
      what: 'the pod network (CNI) is not ready',
      fix: [
        "Restore the CNI configuration (`/etc/cni/net.d`) of {node}: reinstall or repair the network add-on's pod there; the pod goes on by itself.",
      ],
    }
  if (NO_RANGE.test(said) || (/flannel\/subnet\.env/.test(said) && isWithoutRange))
    return {
      id: 'node.pod-cidr-missing',
      what: 'the pod network has no address range',
      fix: [
        'Start kube-controller-manager with `--allocate-node-cidrs=true` and a `--cluster-cidr` (kubeadm: `--pod-network-cidr`), so that {node} gets a podCIDR.',
      ],
      isLikely: !NO_RANGE.test(said),
    }
  if (NO_ADDRESS.test(said))
    return { id: 'sandbox.ip-exhausted', what: 'there is no free pod IP address', fix: [addressFix(said)] }
  if (isNetwork) return { id: 'sandbox.cni-plugin-error', what: 'the CNI plugin fails', fix: cniFix(said) }
  if (RUNTIME_SOCKET.test(said) || /^connection error: desc = "transport/.test(said))
    return {
      id: 'node.runtime-down',
      what: 'the container runtime does not answer',
      fix: ['Start or repair the container runtime (containerd, CRI-O) on {node}; everything goes on by itself.'],
    }
  const handler =
    /no runtime for "([^"]+)"|RuntimeHandler "([^"]+)" not supported|runtimeclass[a-z0-9.]{0,30} "([^"]+)" not found/i.exec(
      said,
    )
  if (handler) {
    const name = handler[1] ?? handler[2] ?? handler[3]
    return {
      id: 'sandbox.other',
      what: `runtime handler \`${name}\` is not configured`,
      fix: [
        `Configure runtime handler \`${name}\` on {node}, restrict its RuntimeClass to nodes that have it (\`scheduling.nodeSelector\`), or drop \`runtimeClassName\`.`,
      ],
    }
  }
  if (reason === 'FailedCreatePodContainer') {
    return {
      id: 'sandbox.other',
      what: "the pod's cgroup cannot be made",
      fix: [
        'Drain and restart {node}: its kernel makes no more cgroups (a leak of old kernels, no memory, a wrong cgroup driver); newer kernels and cgroup v2 are free of the leak.',
      ],
    }
  }
  const isSlow = /is reserved for|DeadlineExceeded|context deadline exceeded|already exists|system load/.test(said)
  return {
    id: 'sandbox.other',
    what: isSlow ? 'the container runtime is too slow to make the sandbox' : 'the pod sandbox cannot be made',
    fix: [
      isSlow
        ? 'Look at the load and the disk of {node} and at its container runtime; the kubelet goes on trying.'
        : 'Mend what the runtime says on {node}; its own log (`journalctl -u containerd` or `crio`) says more.',
    ],
  }
}
