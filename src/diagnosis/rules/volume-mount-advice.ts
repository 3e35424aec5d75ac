import { code, quote } from '../rule.ts'
import { clusterWide, get, type MountAdvice, type MountFacts } from './mount-facts.ts'
import type { MountClass } from './volume-mount-classes.ts'
import { missingKey, missingObject } from './volume-source-advice.ts'

const multiAttach = (facts: MountFacts): MountAdvice => {
  const users = /used by pod\(s\) (.+)$/.exec(facts.message)?.[1]
  return {
    what: `Multi-Attach error – the ReadWriteOnce volume of ${code(facts.volume)} is still attached to another node${users ? `, used by pod ${quote(users, 120)}` : ''}`,
    fix: [
      users
        ? `Let the other pod go first: with a Deployment and a ReadWriteOnce volume use ${code('strategy.type: Recreate')} in ${facts.home}; where it sits on a node that is gone, remove that node.`
        : 'Find out which node has it. If no pod uses it there, the VolumeAttachment is stale: delete it after making sure the volume is not mounted on that node. It is released by itself about 6 minutes after the old pod is gone.',
    ],
    avoid: ['Force-detaching while the old node may still write: the file system can be damaged.'],
    commands: [
      clusterWide('Which node has the volume', 'volumeattachments'),
      get(facts, 'Which pods use it, and where they run', 'pods', '-o', 'wide'),
    ],
  }
}

const driver = (facts: MountFacts): MountAdvice => {
  const name = /driver name (\S+) not found|contain driver (\S+)|attacher of (\S+) CSI/.exec(facts.message)
  const called = name?.[1] ?? name?.[2] ?? name?.[3]
  const isUnregistered = /registered CSI drivers|contain driver/.test(facts.message)
  const named = called ? ` ${code(called)}` : ''
  return {
    what: isUnregistered
      ? `CSI driver${named} is not in the list of registered CSI drivers of node ${code(facts.node)}, so volume ${code(facts.volume)} cannot be mounted there`
      : `volume ${code(facts.volume)} cannot be attached to node ${code(facts.node)}: ${quote(facts.message, 200)}`,
    fix: isUnregistered
      ? [
          `Most likely the driver's node plugin DaemonSet is not running on this node: see whether it has a ready pod on ${code(facts.node)}, and give it tolerations for that node's taints (${code('operator: Exists')}) if it has none there.`,
        ]
      : [
          `Look at the controller (attacher) of CSI driver${named} and at what it says: its pods, credentials, the volume's zone, how many volumes ${code(facts.node)} may have.`,
        ],
    commands: [
      clusterWide('Which drivers are registered on the node', 'csinode', facts.node, '-o', 'yaml'),
      clusterWide('Where each volume is attached', 'volumeattachments'),
    ],
  }
}

const hostPath = (facts: MountFacts): MountAdvice => {
  const why = /type check failed: (.+)$/.exec(facts.message)?.[1] ?? 'type check failed'
  return {
    what: `hostPath volume ${code(facts.volume)}: ${quote(why, 160)} on node ${code(facts.node)} – the path is missing there or is of another kind`,
    fix: [
      `Make ${facts.hostPath ? code(facts.hostPath) : 'the path'} what ${code('hostPath.type')} asks for on every node the pod may run on, or correct ${code('hostPath.path')} or ${code('hostPath.type')} (e.g. ${code('DirectoryOrCreate')}) of volume ${code(facts.volume)} in ${facts.home}.`,
    ],
    commands: [],
  }
}

const helper = (facts: MountFacts): MountAdvice => {
  const type =
    /(?:^|\s)-t ([a-z0-9]+)/.exec(facts.message)?.[1] ??
    /filesystem type '?([a-z0-9]+)/.exec(facts.message)?.[1] ??
    /mount\.([a-z0-9]+)/.exec(facts.message)?.[1] ??
    'its type'
  const packages: Readonly<Record<string, string>> = {
    nfs: 'nfs-common (Debian, Ubuntu) or nfs-utils',
    nfs4: 'nfs-common (Debian, Ubuntu) or nfs-utils',
    cifs: 'cifs-utils',
    iscsi: 'open-iscsi',
    ceph: 'ceph-common',
    glusterfs: 'glusterfs-client',
  }
  return {
    what: `node ${code(facts.node)} cannot mount volume ${code(facts.volume)}: it lacks the helper program or kernel support for ${code(type)}`,
    fix: [
      `Install the client of ${code(type)} on every node (${packages[type] ?? `the package that has the mount helper /sbin/mount.${type}`}), then the kubelet's next try works.`,
    ],
    commands: [],
  }
}

/** What to say and do about a class of mount failure. */
export const mountAdvice = (found: MountClass, facts: MountFacts): MountAdvice => {
  switch (found.id) {
    case 'volume.object-missing':
    case 'scheduling.pvc-missing':
      return missingObject(facts)
    case 'volume.key-missing':
      return missingKey(facts, found.key ?? '')
    case 'volume.multi-attach':
      return multiAttach(facts)
    case 'volume.driver-or-attach-failure':
      return driver(facts)
    case 'volume.host-path-type':
      return hostPath(facts)
    case 'volume.mount-helper-missing':
      return helper(facts)
    case 'scheduling.pvc-unbound':
      return {
        what: `the claim of volume ${code(facts.volume)} is not bound`,
        fix: ['Look at the claim and its events: it needs a matching PersistentVolume or a StorageClass that works.'],
        commands: [get(facts, 'The claims', 'pvc')],
      }
    case 'volume.permission':
      return {
        what: `the kubelet cannot give volume ${code(facts.volume)} to the pod's ${code('fsGroup')}: ${quote(facts.message, 200)}`,
        fix: [
          `Drop ${code('securityContext.fsGroup')} in ${facts.home} where the storage does not allow a change of owner (NFS with root squash, read-only volumes), and set the owner on the storage side.`,
        ],
        commands: [],
      }
    default:
      return {
        what: `volume ${code(facts.volume)} cannot be mounted on node ${code(facts.node)}: ${quote(reasonIn(facts.message), 240)}`,
        fix: [`Mend what the mount says: ${nfsHint(facts.message)}`],
        commands: [get(facts, 'The claims and their volumes', 'pvc', '-o', 'wide')],
      }
  }
}

const reasonIn = (message: string): string => /for volume "[^"]+" ?: (.+)$/s.exec(message)?.[1] ?? message

const nfsHint = (message: string): string => {
  if (/access denied by server/.test(message)) return 'the NFS server does not export that path to this node.'
  if (/No such file or directory|no such file/.test(message))
    return 'the path on the server (or the device on the node) does not exist.'
  if (/[Cc]onnection (?:timed out|refused)|no route to host|No route/.test(message))
    return 'the storage server cannot be reached from this node.'
  if (/wrong fs type|bad superblock|fsck/.test(message))
    return 'the file system on the volume is damaged or of another type.'
  return 'the storage behind the claim, the server it names, or the plugin on the node.'
}
