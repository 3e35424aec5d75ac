import { describe, expect, it } from 'vitest'
import { targetText } from '../src/slack/question.ts'
import { TargetError } from '../src/target.ts'
import { parseTyped } from '../src/typed-target.ts'

const parse = (text: string) =>
  targetText(parseTyped(text, { clusters: ['prod', 'prod-eu'], defaultNamespace: 'default' }))

describe('a pasted line of kubectl', () => {
  it.each([
    ['kubectl describe pod web-1 -n shop', 'shop/Pod/web-1'],
    ['kubectl -n shop describe pod/web-1', 'shop/Pod/web-1'],
    ['$ kubectl logs web-1 -c migrate --previous -n shop', 'shop/Pod/web-1'],
    ['kubectl logs -f deploy/web --namespace=shop --tail 100 | grep error', 'shop/Deployment/web'],
    ['`kubectl get pod web-1 -o yaml -n shop`.', 'shop/Pod/web-1'],
    ['kubectl exec -it web-1 -n shop -- sh -c ls', 'shop/Pod/web-1'],
    ['kubectl --context prod-eu get sts db -n data', 'prod-eu:data/StatefulSet/db'],
    ['kubectl rollout status deployment/web -n shop', 'shop/Deployment/web'],
    ['oc describe po web-1 -n shop?', 'shop/Pod/web-1'],
    ['k logs web-1', 'default/Pod/web-1'],
    ['kubectl get pods -n shop -o wide', 'shop/'],
    ['kubectl --context prod get po -w --namespace=shop', 'prod:shop/'],
  ])('%s', (line, target) => {
    expect(parse(line)).toBe(target)
  })

  it.each([
    'kubectl get pods',
    'kubectl get pods -n shop -l app=web',
    'kubectl version',
    'kubectl --context other logs web-1',
  ])('%s names no target', line => {
    expect(() => parse(line)).toThrow(TargetError)
  })
})

describe('an address of', () => {
  it.each([
    ['Rancher', 'https://rancher.example.com/dashboard/c/c-m-x7/explorer/pod/shop/web-1#logs', 'shop/Pod/web-1'],
    [
      'Rancher, a workload',
      'https://rancher.example.com/dashboard/c/local/explorer/apps.deployment/shop/web',
      'shop/Deployment/web',
    ],
    ['OpenShift', 'https://console.example.com/k8s/ns/shop/pods/web-1/logs', 'shop/Pod/web-1'],
    ['OpenShift, a workload', 'https://console.example.com/k8s/ns/shop/statefulsets/db', 'shop/StatefulSet/db'],
    ['Headlamp', 'https://headlamp.example.com/c/main/pods/shop/web-1', 'shop/Pod/web-1'],
    ['the dashboard', 'https://dashboard.example.com/#/pod/shop/web-1?namespace=shop', 'shop/Pod/web-1'],
    [
      'GKE',
      'https://console.cloud.google.com/kubernetes/pod/europe-west1/prod/shop/web-1/details?project=p',
      'shop/Pod/web-1',
    ],
    [
      'Lens',
      'lens://app/cluster/1f/pods?kube-details=%2Fapi%2Fv1%2Fnamespaces%2Fshop%2Fpods%2Fweb-1',
      'shop/Pod/web-1',
    ],
    ['Grafana', 'https://grafana.example.com/d/k8s?var-namespace=shop&var-pod=web-1', 'shop/Pod/web-1'],
    [
      'Grafana, a query',
      `https://grafana.example.com/explore?left=${encodeURIComponent(JSON.stringify({ queries: [{ expr: '{namespace="shop",pod="web-1"}' }] }))}`,
      'shop/Pod/web-1',
    ],
    [
      'Prometheus',
      `https://prometheus.example.com/graph?g0.expr=${encodeURIComponent('kube_pod_info{namespace="shop", pod="web-1"}')}`,
      'shop/Pod/web-1',
    ],
    [
      'Argo CD',
      'https://argocd.example.com/applications/argocd/shop?view=tree&resource=&node=%2FPod%2Fshop%2Fweb-1%2F0&tab=logs',
      'shop/Pod/web-1',
    ],
    [
      'Argo CD, a workload',
      'https://argocd.example.com/applications/shop?resource=&node=apps%2FStatefulSet%2Fdata%2Fdb',
      'data/StatefulSet/db',
    ],
    [
      'EKS',
      'https://eu-west-1.console.aws.amazon.com/eks/home?region=eu-west-1#/clusters/prod/pods/web-1?namespace=shop',
      'shop/Pod/web-1',
    ],
    [
      'EKS, a workload',
      'https://console.aws.amazon.com/eks/home?region=eu-west-1#/clusters/prod/deployments/web?namespace=shop',
      'shop/Deployment/web',
    ],
    [
      'AKS',
      `https://portal.azure.com/#view/Microsoft_Azure_ContainerService/AksK8ResourceMenuBlade/~/overview-Pod/aksClusterId/%2Fsubscriptions%2F1%2FmanagedClusters%2Fprod/resource~/${encodeURIComponent(JSON.stringify({ kind: 'Pod', metadata: { name: 'web-1', namespace: 'shop' } }))}`,
      'shop/Pod/web-1',
    ],
    [
      'AKS, a workload, as it was',
      `https://portal.azure.com/#blade/Microsoft_Azure_ContainerService/AksK8ResourceMenuBlade/overview-Deployment/aksClusterId/%2Fsubscriptions%2F1/resource/${encodeURIComponent(JSON.stringify({ kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' } }))}`,
      'shop/Deployment/web',
    ],
    [
      'a console with all in the query',
      'https://app.example.com/main?cluster=p&namespace=shop&podName=web-1',
      'shop/Pod/web-1',
    ],
    ['another', 'https://app.example.com/services?ns=shop&kind=StatefulSet&name=db', 'shop/StatefulSet/db'],
    ['another, by kind', 'https://app.example.com/w?namespace=shop&deployment=web', 'shop/Deployment/web'],
  ])('%s', (_, link, target) => {
    expect(parse(link)).toBe(target)
  })

  it.each([
    'https://example.com/',
    'https://example.com/team/jobs',
    'https://example.com/a/constructor/shop/web',
    'https://github.com/o/r/blob/main/pods/A/b.md',
    'https://grafana.example.com/d/k8s?var-namespace=All&var-pod=$__all',
    'https://argocd.example.com/applications/argocd/jobs?node=argoproj.io%2FApplication%2Fargocd%2Fjobs%2F0',
    'https://portal.azure.com/#view/x/resource~/%7B%22kind%22',
    'https://portal.azure.com/#view/x/resource~/null',
  ])('%s is none of a pod, or of nothing that exists', link => {
    expect(() => parse(link)).toThrow(TargetError)
  })
})

it('all else is a target as ever', () => {
  expect(parse('prod:shop/web-1')).toBe('prod:shop/web-1')
  expect(parse('web-1 -n shop')).toBe('shop/web-1')
})
