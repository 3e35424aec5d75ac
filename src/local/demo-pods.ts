interface Recorded {
  /** In `demo/`. */
  readonly file: string
  readonly namespace: string
  readonly workload: { readonly kind: 'Deployment' | 'Job'; readonly name: string }
  /** Null: the workload's pods never appeared. */
  readonly pod: string | null
  /** What `kubectl get` printed. */
  readonly status: string
}

const deployment = (name: string) => ({ kind: 'Deployment', name }) as const

/** The pods of the demo cluster. Of two pods of one workload, the first is the one that its name means. */
export const demoPods: readonly Recorded[] = [
  {
    file: 'orders-api.json',
    namespace: 'shop',
    workload: deployment('orders-api'),
    pod: 'orders-api-664c9d84c7-q84wv',
    status: 'Init:0/1',
  },
  {
    file: 'checkout-web.json',
    namespace: 'shop',
    workload: deployment('checkout-web'),
    pod: 'checkout-web-6b4c7bfdb6-thnrm',
    status: 'Init:CrashLoopBackOff',
  },
  {
    file: 'billing-api-crash-loop.json',
    namespace: 'billing',
    workload: deployment('billing-api'),
    pod: 'billing-api-7df5687c7-mgfcr',
    status: 'Init:CrashLoopBackOff',
  },
  {
    file: 'billing-api-in-between.json',
    namespace: 'billing',
    workload: deployment('billing-api'),
    pod: 'billing-api-7df5687c7-q7x2d',
    status: 'Init:0/1',
  },
  {
    file: 'api-gateway.json',
    namespace: 'edge',
    workload: deployment('api-gateway'),
    pod: 'api-gateway-75ff6b5f9f-wgdhr',
    status: 'Init:ImagePullBackOff',
  },
  {
    file: 'orders-admin.json',
    namespace: 'shop',
    workload: deployment('orders-admin'),
    pod: 'orders-admin-f8b9b74d6-9lj7j',
    status: 'Init:CreateContainerConfigError',
  },
  {
    file: 'pdf-renderer.json',
    namespace: 'documents',
    workload: deployment('pdf-renderer'),
    pod: 'pdf-renderer-54c6ffd4ff-zkxsb',
    status: 'CrashLoopBackOff',
  },
  {
    file: 'web-frontend.json',
    namespace: 'edge',
    workload: deployment('web-frontend'),
    pod: 'web-frontend-5f8997cc56-mv5hn',
    status: 'CrashLoopBackOff',
  },
  {
    file: 'queue-consumer.json',
    namespace: 'messaging',
    workload: deployment('queue-consumer'),
    pod: 'queue-consumer-5fb9844bb9-hd28m',
    status: 'CrashLoopBackOff',
  },
  {
    file: 'geo-api.json',
    namespace: 'geo',
    workload: deployment('geo-api'),
    pod: 'geo-api-7dddd88cdb-whhb2',
    status: 'Init:CrashLoopBackOff',
  },
  {
    file: 'file-drop.json',
    namespace: 'uploads',
    workload: deployment('file-drop'),
    pod: null,
    status: '0/1 pods',
  },
  {
    file: 'analytics.json',
    namespace: 'analytics',
    workload: deployment('analytics'),
    pod: 'analytics-567dc55c9f-skdjw',
    status: 'Pending',
  },
  {
    file: 'quotes-api.json',
    namespace: 'quotes',
    workload: deployment('quotes-api'),
    pod: 'quotes-api-56d8fbd667-llqbx',
    status: 'Running',
  },
  {
    file: 'csv-export.json',
    namespace: 'reports',
    workload: { kind: 'Job', name: 'csv-export' },
    pod: 'csv-export-46vck',
    status: 'Completed',
  },
]
