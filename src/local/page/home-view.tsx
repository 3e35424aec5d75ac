import { useEffect } from 'react'
import { BlockKit } from './block-kit.tsx'
import { send } from './send.ts'

/** The app's Home, which it publishes when it is opened. */
export function HomeView({ blocks }: { readonly blocks: readonly object[] | null }) {
  useEffect(() => {
    void send('/local/home', {})
  }, [])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll home" aria-label="Home of podwhy" tabIndex={0}>
      {blocks === null ? (
        <p className="empty">podwhy has published nothing here yet.</p>
      ) : (
        <BlockKit blocks={blocks} ts={null} />
      )}
    </section>
  )
}
