import type { Hello } from '../station.ts'
import { useAsk } from './composer.tsx'
import { useWide } from './use-wide.ts'

interface SidebarProps {
  readonly hello: Omit<Hello, 'messages' | 'home'>
  /** Called when a question is asked. */
  onAsk(): void
}

/** Which cluster is asked, how to ask, and questions to try. */
export function Sidebar({ hello, onAsk }: SidebarProps) {
  const { cluster, command, examples } = hello
  const { ask, problem } = useAsk()
  const wide = useWide()
  return (
    <aside className="sidebar" aria-label="About this channel">
      <h1>podwhy</h1>
      <p className="cluster">
        {cluster.demo ? (
          <>
            Asks a <b>demo cluster made of recordings</b>. Their times are those of the recording.
          </>
        ) : (
          <>
            Asks the cluster <b>{cluster.name}</b>, reading only.
          </>
        )}
      </p>
      <p className="hint">
        Type <code>{command} NAMESPACE/POD</code>, as you would in Slack.
      </p>
      {examples.length > 0 && (
        <details open={wide} key={String(wide)}>
          <summary>{examples.length} questions to try</summary>
          <ul>
            {examples.map(({ label, text }) => (
              <li key={text}>
                <button
                  type="button"
                  title={text}
                  onClick={event => {
                    if (!wide) event.currentTarget.closest('details')?.removeAttribute('open')
                    onAsk()
                    void ask(text)
                  }}
                >
                  {label}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      {problem && <p role="alert">{problem}</p>}
    </aside>
  )
}
