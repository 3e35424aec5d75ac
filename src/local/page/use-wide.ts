import { useSyncExternalStore } from 'react'

const query = matchMedia('(min-width: 56rem)')

/** Is there room for channel and thread side by side? */
export function useWide(): boolean {
  return useSyncExternalStore(
    changed => {
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => query.matches,
  )
}
