import { useCallback, useEffect, useState } from 'react'

/** Which message's thread is open. It stands in the address, as in permalinks, so that "back" closes it on a phone. */
export function useThread(): {
  readonly openTs: string | null
  /** `quietly`: not because somebody asked for it, so "back" need not undo it. */
  open(ts: string, quietly?: boolean): void
  close(): void
} {
  const [openTs, setOpenTs] = useState(fromAddress)
  useEffect(() => {
    const follow = () => setOpenTs(fromAddress())
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
    setOpenTs(ts)
  }, [])
  const close = useCallback(() => {
    history.replaceState(null, '', location.pathname)
    setOpenTs(null)
  }, [])
  return { openTs, open, close }
}

function fromAddress(): string | null {
  const [, seconds, fraction] = /^#p(\d+)(\d{6})$/.exec(location.hash) ?? []
  return seconds && fraction ? `${seconds}.${fraction}` : null
}
