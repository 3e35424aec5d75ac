import { createContext, use, useState } from 'react'
import type { ActionsBlock } from '../../answer/block-kit.ts'
import { Menu } from './menu.tsx'
import { send } from './send.ts'

type Element = ActionsBlock['elements'][number]

/** Told when something was pressed, so that what comes of it can be brought into view. */
export const Pressed = createContext<() => void>(() => {})

/** Buttons and menus of a message, or (`ts` null) of the Home. Choosing one tells podwhy, as Slack does. */
export function ActionsView({ block, ts }: { readonly block: ActionsBlock; readonly ts: string | null }) {
  const [pressing, setPressing] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const tellPressed = use(Pressed)
  const press = async (actionId: string, value: string) => {
    if (pressing !== null) return
    setPressing(actionId)
    tellPressed()
    setProblem(await send('/local/press', { ts, actionId, value }))
    setPressing(null)
  }
  return (
    <div className="actions">
      {block.elements.map(element => (
        <ElementView
          key={element.action_id}
          element={element}
          pressing={pressing === element.action_id}
          press={value => press(element.action_id, value)}
        />
      ))}
      {problem && <p role="alert">{problem}</p>}
    </div>
  )
}

interface ElementViewProps {
  readonly element: Element
  readonly pressing: boolean
  press(value: string): void
}

function ElementView({ element, pressing, press }: ElementViewProps) {
  if (element.type === 'button') {
    const { text, value, style = 'plain' } = element
    return (
      <button
        type="button"
        className={`press ${style}`}
        aria-disabled={pressing}
        aria-busy={pressing}
        onClick={() => press(value ?? '')}
      >
        {text.text}
      </button>
    )
  }
  const options = element.options.map(({ text, value }) => ({ label: text.text, value }))
  if (element.type === 'overflow')
    return <Menu label="More" face="⋯" isIcon options={options} busy={pressing} choose={press} />
  if (element.type === 'static_select')
    return <Menu label={element.placeholder.text} options={options} busy={pressing} choose={press} />
  return null
}
