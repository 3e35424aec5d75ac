import { useCallback, useEffect, useState } from 'react'

/**
 * What is shown: the channel, perhaps with a message's thread open, or the Home. It stands in the address, as in
 * permalinks, so that "back" closes a thread on a phone.
 */
export function useAddress(): {
  readonly home: boolean
  readonly openTs: string | null
  /** `quietly`: not because somebody asked for it, so "back" need not undo it. */
  open(ts: string, quietly?: boolean): void
  close(): void
} {
  const [shown, setShown] = useState(fromAddress)
  useEffect(() => {
    const follow = () => setShown(fromAddress())
    addEventListener('popstate', follow)
    addEventListener('hashchange', follow)
    return () => {
      removeEventListener('popstate', follow)
      removeEventListener('hashchange', follow)
    }
  }, [])
  const open = useCallback((ts: string, quietly = false) => {
    const address = `#p${ts.replace('.', '')}`
    if (quietly) history.replaceState(null, '', address)
    else history.pushState(null, '', address)
    setShown(fromAddress())
  }, [])
  const close = useCallback(() => {
    history.replaceState(null, '', location.pathname)
    setShown(fromAddress())
  }, [])
  return { ...shown, open, close }
}

function fromAddress(): { readonly home: boolean; readonly openTs: string | null } {
  const [, seconds, fraction] = /^#p(\d+)(\d{6})$/.exec(location.hash) ?? []
  return { home: location.hash === '#home', openTs: seconds && fraction ? `${seconds}.${fraction}` : null }
}
