/** kubectl's flags that take a value in the next word, as far as lines about pods have them. */
const withValue = new Set(
  '-c --container -o --output --tail --since --since-time --kubeconfig --cluster --user --as --limit-bytes --image --target --copy-to -l --selector --field-selector --request-timeout'.split(
    ' ',
  ),
)
/** Verbs whose object is a pod where no kind is said. */
const ofPods = new Set(['logs', 'log', 'exec', 'attach', 'debug', 'port-forward', 'cp'])
const ofObjects = new Set(['describe', 'get', 'delete', 'edit', 'top', 'rollout'])

/**
 * What a pasted line is about, as one would type it: `kubectl describe pod web-1 -n shop` is `pod/web-1 -n shop`. Null: it
 * is no line of `kubectl`, `oc` or `k`, or about no one object nor all pods of a namespace.
 */
export const kubectlTarget = (line: string): string | null => {
  const [program = '', ...words] = line
    .replace(/^\s*\$\s+/, '')
    .split(/\s+/)
    .map(word => word.replace(/^[`'"]+|[`'",;]+$/g, ''))
    .filter(Boolean)
  if (!/^(?:kubectl|oc|k)$/.test(program)) return null
  const named: string[] = []
  let namespace = ''
  let context = ''
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (word === '--' || word === '|') break
    const flag = /^(-n|--namespace|--context)(?:=(.*))?$/.exec(word)
    if (flag) {
      const value = flag[2] ?? words[++index] ?? ''
      if (flag[1] === '--context') context = value
      else namespace = value
    } else if (withValue.has(word)) index++
    else if (!word.startsWith('-')) named.push(word.replace(/[.?!]+$/, ''))
  }
  const [verb = '', ...given] = named
  const [first, second] = verb === 'rollout' || verb === 'top' ? given.slice(verb === 'rollout' ? 1 : 0) : given
  const object =
    first === undefined
      ? null
      : ofPods.has(verb) || first.includes('/')
        ? first
        : ofObjects.has(verb) && second !== undefined
          ? `${first}/${second}`
          : null
  // `kubectl get pods -n shop`: all of them are meant.
  const isOfSome = words.some(word => /^(?:-l|--selector|--field-selector)\b/.test(word))
  const isOfAll = verb === 'get' && second === undefined && /^(?:pods?|po|all)$/.test(first ?? '') && !isOfSome
  if (object === null && isOfAll && namespace !== '') return `${context === '' ? '' : `${context}:`}${namespace}/`
  if (object === null) return null
  return `${context === '' ? '' : `${context}:`}${object.includes('/') ? object : `pod/${object}`}${namespace === '' ? '' : ` -n ${namespace}`}`
}
