import type { Causes } from './cause.ts'

export const volume: Causes = {
  'volume.object-missing': {
    what: 'A volume is made of a ConfigMap, Secret or SecretProviderClass that does not exist in the namespace.',
    looksAt:
      'the newest FailedMount event, the volume in the spec, and a Job that bears the name and may be to make it',
    todo: 'Create the object in this namespace or correct its name; look at what should have written it.',
  },
  'volume.multi-attach': {
    what: 'A ReadWriteOnce volume is still attached to another node.',
    looksAt: 'the FailedAttachVolume event and the pods it names',
    todo: 'Let the other pod go first; a stale VolumeAttachment goes by itself some minutes after its pod.',
  },
  'volume.mount-helper-missing': {
    what: 'The node lacks the program or kernel support that the type of the volume needs (NFS, CIFS, iSCSI …).',
    looksAt: 'the output of the mount command in the FailedMount event',
    todo: 'Install that client on every node the pod may run on.',
  },
  'volume.driver-or-attach-failure': {
    what: 'The CSI driver of the volume is not registered on the node, or the volume cannot be attached to it.',
    looksAt: 'FailedMount and FailedAttachVolume events and the driver they name',
    todo: 'Look at the node plugin on that node, and at the controller (attacher) of the driver.',
  },
  'volume.permission': {
    what: 'The user of the container may not use a mounted volume, or the kubelet cannot give it to the `fsGroup`.',
    looksAt: 'the refusal in the log (or the mount failure), the path, the volume mounted there, its kind, and the uid',
    todo: 'Set `securityContext.fsGroup`; for hostPath and NFS change the owner on the node or the server.',
  },
  'volume.unsuitable-mountpoint': {
    what: 'The mount is no fit place for what the program does there: `lost+found` in a data directory, a read-only source, a file where a directory is mounted.',
    looksAt: 'the complaint in the log, the path, and what the spec mounts there',
    todo: 'Use a subdirectory or `subPath`, or copy the files into an `emptyDir` first.',
  },
  'volume.key-missing': {
    what: 'A volume asks for a key that its ConfigMap or Secret does not have.',
    looksAt: 'the FailedMount event, the key and the source of the volume',
    todo: 'Add the key, or correct `items[].key`.',
  },
  'volume.host-path-type': {
    what: 'What is at a hostPath on the node is missing or not of the `type` that the volume demands.',
    looksAt: 'the FailedMount event, `hostPath.path` and the node',
    todo: 'Make the path on every node the pod may run on, or correct path or type.',
  },
  'volume.other': {
    what: 'A volume cannot be attached, mounted or written for another reason; the words of the mount are quoted.',
    looksAt: 'the newest mount failure that says more than a summary; in a log, a volume that has become read-only',
    todo: 'Mend what the mount names: the server, the path, the storage behind the claim.',
  },
}
