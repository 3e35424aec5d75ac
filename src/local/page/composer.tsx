import { type FormEvent, useEffect, useRef, useState } from 'react'
import { send } from './send.ts'

/** The line to type a command into. Keeps what was typed if it could not be sent. */
export function Composer({ command }: { readonly command: string }) {
  const preset = `${command} `
  const [line, setLine] = useState(preset)
  const { ask, asking, problem } = useAsk()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
    input.current?.setSelectionRange(preset.length, preset.length)
  }, [preset])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (asking || !line.trim()) return
    if (await ask(line)) setLine(preset)
    input.current?.focus()
  }
  return (
    <form className="composer" onSubmit={submit}>
      <label htmlFor="line" className="visually-hidden">
        Ask podwhy about a pod, for example {command} NAMESPACE/POD
      </label>
      <input
        id="line"
        ref={input}
        value={line}
        onChange={event => setLine(event.target.value)}
        placeholder={`${command} NAMESPACE/POD`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="send"
      />
      <button type="submit" className="ask" aria-disabled={asking}>
        {asking ? 'Asking…' : 'Ask'}
      </button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  )
}

/** Sends lines to the channel; `ask` gives whether one was taken. */
export function useAsk(): {
  ask(text: string): Promise<boolean>
  readonly asking: boolean
  readonly problem: string | null
} {
  const [asking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const ask = async (text: string) => {
    setAsking(true)
    const failed = await send('/local/command', { text })
    setProblem(failed)
    setAsking(false)
    return failed === null
  }
  return { ask, asking, problem }
}
