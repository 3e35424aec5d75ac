import { read } from '../commands.ts'
import { code } from '../rule.ts'
import { type AppFamily, around, logDraft, said } from './app-log-draft.ts'

const REFUSED =
  /(?:User\s+\\?"?|user=)(?<user>system:(?:serviceaccount:[\w.-]+:[\w.-]+|anonymous|node:[\w.-]+))\\?"?,? (?:cannot|verb=)\s?(?<verb>\w+)[ ,](?:resource[ =]\\?"?)?(?<resource>[\w./-]+)\\?"?(?:[^"\n]{0,12}API group \\?"(?<group>[\w.-]*)\\?")?/

const forbidden: AppFamily = {
  id: 'app.api-forbidden',
  hint: /system:(?:serviceaccount|anonymous|node)|service account|asked for the client to provide credentials|Unauthorized|is forbidden|Forbidden/,
  rows: [
    { pattern: new RegExp(REFUSED.source), weight: 20 },
    {
      pattern: /system:serviceaccount:(?<account>[\w.-]+:[\w.-]+)[^\n]{0,80}(?:cannot|forbidden|not allowed)/,
      weight: 18,
    },
    { pattern: /Configured service account doesn't have access/, weight: 19 },
    { pattern: /the server has asked for the client to provide credentials/, weight: 18, note: 'token' },
    { pattern: /\b403\b[^\n]{0,20}Forbidden/, weight: 12, isCertain: false, note: 'bare' },
    { pattern: /\bis forbidden: (?!exceeded|violates|error looking)/, weight: 15 },
  ],
  tell: (subject, match) => {
    const { view } = subject
    const isApi = /kubernetes\.default|\/apis?\/|KUBERNETES_SERVICE|serviceaccount/
    if (match.row.note === 'bare' && !around(subject, match, 6, 6).some(text => isApi.test(text))) return null
    const { user, verb, resource, group, account } = match.groups
    const who = user ?? (account ? `system:serviceaccount:${account}` : null)
    const named = who?.startsWith('system:serviceaccount:')
      ? who.split(':')[3]
      : (view.pod?.spec?.serviceAccountName ?? 'default')
    const inNamespace = /in the namespace \\?"([\w.-]+)\\?"/.exec(match.entry.text)?.[1]
    const isClusterWide = /at the cluster scope/.test(match.entry.text)
    const what =
      verb && resource
        ? `${code(`${verb} ${resource}`)}${isClusterWide ? ' at the cluster scope' : inNamespace ? ` in namespace ${code(inNamespace)}` : ''}`
        : 'what it asks for'
    if (match.row.note === 'token') {
      return logDraft(subject, match, {
        because: `the Kubernetes API does not accept its token (service account ${code(named ?? 'default')}): expired, of another cluster, or missing. Its log says ${said(match)}.`,
        fix: [
          `Let ${code(subject.name)} use the token the kubelet mounts and renews (${code('automountServiceAccountToken: true')}, a client library new enough to re-read it); recreate the pod once.`,
        ],
      })
    }
    const kind = isClusterWide ? 'ClusterRole and ClusterRoleBinding' : 'Role and RoleBinding'
    const target = resource === undefined ? null : `${resource.split('/')[0]}${group ? `.${group}` : ''}`
    const subresource = resource?.includes('/') ? [`--subresource=${resource.split('/')[1]}`] : []
    const asWhom = who ?? `system:serviceaccount:${view.namespace}:${named ?? 'default'}`
    const canI =
      verb && target
        ? [
            isClusterWide
              ? {
                  purpose: 'Whether the service account may do it by now',
                  argv: [
                    'kubectl',
                    'auth',
                    'can-i',
                    verb,
                    target,
                    ...subresource,
                    '--all-namespaces',
                    `--as=${asWhom}`,
                  ],
                  changes: false,
                }
              : {
                  purpose: 'Whether the service account may do it by now',
                  argv: [
                    'kubectl',
                    '-n',
                    inNamespace ?? view.namespace,
                    'auth',
                    'can-i',
                    verb,
                    target,
                    ...subresource,
                    `--as=${asWhom}`,
                  ],
                  changes: false,
                },
          ]
        : [read(view, 'What the service account is bound to', 'get', 'rolebindings', '-o', 'wide')]
    return logDraft(subject, match, {
      because: `the Kubernetes API refuses its service account ${code(named ?? 'default')} ${what} (RBAC: is forbidden). Its log says ${said(match, 260)}.`,
      fix: [
        `Give service account ${code(named ?? 'default')} a ${kind} that allows ${verb && resource ? code(`${verb} ${resource}`) : 'it'}${group ? ` (apiGroup ${code(group)})` : ''}, or set ${code('serviceAccountName')} to the account that has it.`,
      ],
      avoid: [`Binding ${code('cluster-admin')}.`],
      verify: [`${code('kubectl auth can-i')} answers ${code('yes')}.`],
      reads: canI,
    })
  },
}

const cloud: AppFamily = {
  id: 'app.cloud-identity',
  hint: /AccessDenied|not authorized|credential|identity|AADSTS|PERMISSION_DENIED|denied on|googleapi|does not have|ExpiredToken|InvalidClientTokenId|SignatureDoesNotMatch|AuthorizationFailed|AuthorizationPermission|WebIdentity|UnrecognizedClient|InvalidAccessKeyId|Access ?Denied|metadata|\(403\)|IMDS|sts:/i,
  rows: [
    {
      pattern:
        /\(AccessDenied(?:Exception)?\) when calling the (?<action>\w+) operation|\(403\) when calling the (?<head>\w+) operation/,
      weight: 18,
    },
    { pattern: /[Nn]ot authorized to perform:? (?<action>[\w-]+:\w+)/, weight: 18 },
    {
      pattern:
        /(?<action>AssumeRoleWithWebIdentity)|WebIdentityErr|InvalidIdentityToken|failed to retrieve credentials from web identity/,
      weight: 18,
    },
    {
      pattern:
        /AccessDenied(?:Exception)?: (?:User: arn|Access Denied|Status code: 403|[^\n]{0,60}\(Service: )|Access Denied \(Service: |AccessDenied: Access Denied|api error AccessDenied|<Code>AccessDenied|(?:arn:aws|\bs3\b|\bsts\b|\biam\b|\brole\b|bucket)[^\n]{0,120}\bAccessDenied\b/,
      weight: 17,
    },
    {
      pattern:
        /(?:Unable to locate credentials|NoCredentialProviders|NoCredentialsError|Could not load credentials from any providers|CredentialsProviderError|Unable to load (?:AWS )?credentials from any|no EC2 IMDS role found|failed to refresh cached credentials|The security token included in the request is (?:invalid|expired)|\bExpiredToken(?:Exception)?\b|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|InvalidAccessKeyId)/,
      weight: 16,
    },
    {
      pattern:
        /(?:could not find|Could not load the|Your) default credentials|DefaultCredentialsError|Application Default Credentials/i,
      weight: 17,
    },
    {
      pattern:
        /does not have (?<action>[\w.]+) (?:access|permission) (?:to|on|for)|Permission '(?<permission>[\w.]+)' denied on|PERMISSION_DENIED[^\n]{0,120}(?:iam|googleapis|projects\/|[Tt]he caller does not have permission)|The caller does not have permission|Unable to (?:generate|retrieve|acquire) (?:an )?(?:access|impersonated)[\w ]{0,20}(?:credentials|token)|iam\.serviceAccounts\.getAccessToken|googleapi: Error 40[13]|google\.auth\.exceptions\.RefreshError|metadata\.google\.internal[^\n]{0,160}40[134]/,
      weight: 16,
    },
    {
      pattern:
        /DefaultAzureCredential|ManagedIdentityCredential|WorkloadIdentityCredential|ClientSecretCredential|AADSTS\d{4,7}|AuthorizationPermissionMismatch|AuthorizationFailed|does not have authorization to perform action '(?<action>[^']+)'|Identity not found/,
      weight: 17,
    },
  ],
  tell: (subject, match) => {
    const { text } = match.entry
    // Java's AccessDeniedException with a path is about a file.
    if (/AccessDeniedException: \//.test(text)) return null
    const action = match.groups['action'] ?? match.groups['permission']
    const account = subject.view.pod?.spec?.serviceAccountName ?? 'default'
    const isAzure = /azure|AADSTS|ManagedIdentity|Authorization(?:Failed|Permission)|WorkloadIdentity/i.test(text)
    const isGoogle =
      /google|PERMISSION_DENIED|iam\.serviceAccounts|default credentials|projects\/|caller does not|does not have \w+\.\w+/i.test(
        text,
      )
    const trust = isAzure
      ? `the federated credential of the managed identity names issuer and subject ${code(`system:serviceaccount:${subject.view.namespace}:${account}`)}, and the pod has label ${code('azure.workload.identity/use: "true"')}`
      : isGoogle
        ? `the Google service account allows ${code('roles/iam.workloadIdentityUser')} for ${code(`${subject.view.namespace}/${account}`)}, and the Kubernetes one carries annotation ${code('iam.gke.io/gcp-service-account')}`
        : `the trust policy of the IAM role accepts ${code(`system:serviceaccount:${subject.view.namespace}:${account}`)}, and the service account carries annotation ${code('eks.amazonaws.com/role-arn')}`
    return logDraft(subject, match, {
      because: `the cloud refuses its identity${action ? ` ${code(action)}` : ''}. The Kubernetes API is not involved. Its log says ${said(match, 260)}.`,
      fix: [
        `Check that ${trust}.`,
        `Give that identity the permission${action ? ` for ${code(action)}` : ' the log names'} in the cloud's own policy.`,
      ],
      avoid: ['Putting long-lived access keys into the pod.'],
      reads: [
        read(subject.view, 'The service account and its annotations', 'get', 'serviceaccount', account, '-o', 'yaml'),
      ],
    })
  },
}

export const access: readonly AppFamily[] = [forbidden, cloud]
