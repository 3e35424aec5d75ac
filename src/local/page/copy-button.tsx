import { useState } from 'react'

/** Copies `text`, and says that it did. */
export function CopyButton({ text }: { readonly text: string }) {
  const [said, setSaid] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Not allowed to copy')
    }
  }
  return (
    <button type="button" className="copy" onClick={copy} onBlur={() => setSaid('')} onPointerLeave={() => setSaid('')}>
      <span aria-live="polite">{said || 'Copy'}</span>
    </button>
  )
}
