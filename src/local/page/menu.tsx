import { type KeyboardEvent, type MouseEvent, useId, useLayoutEffect, useRef, useState } from 'react'

interface MenuProps {
  /** What the button says; with a `face` only to those who do not see it. */
  readonly label: string
  readonly face?: string
  readonly isIcon?: boolean
  readonly options: readonly { readonly label: string; readonly value: string }[]
  readonly busy: boolean
  choose(value: string): void
}

/** A button that opens a menu of options. https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/ */
export function Menu({ label, face, isIcon = false, options, busy, choose }: MenuProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const items = () => [...(list.current?.querySelectorAll('button') ?? [])]

  useLayoutEffect(() => {
    if (!open || !list.current || !button.current) return
    place(list.current, button.current)
    list.current.querySelector('button')?.focus()
    list.current.scrollIntoView({ block: 'nearest' })
  }, [open])

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLButtonElement)
    const next = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: all.length - 1,
    }[event.key]
    const typed = event.key.length === 1 && event.key !== ' ' ? beginningWith(all, at, event.key) : undefined
    const target = typed ?? (next === undefined ? undefined : all.at(next % all.length))
    if (event.key === 'Escape') close()
    else if (target) target.focus()
    else return
    // Escape would close the thread as well, and arrows would scroll it.
    event.stopPropagation()
    event.preventDefault()
  }
  return (
    <>
      <button
        type="button"
        ref={button}
        className={isIcon ? 'press icon' : 'press select'}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-busy={busy}
        aria-label={face ? label : undefined}
        title={face ? label : undefined}
        onMouseDown={keepFocus}
        onClick={() => setOpen(!open)}
      >
        {face ?? label}
      </button>
      {open && (
        <div
          role="menu"
          id={id}
          ref={list}
          aria-label={label}
          className="options"
          onKeyDown={onKeyDown}
          onMouseDown={keepFocus}
          onBlur={({ relatedTarget, currentTarget }) => setOpen(currentTarget.contains(relatedTarget))}
        >
          {options.map(({ label: option, value }) => (
            <button
              type="button"
              role="menuitem"
              tabIndex={-1}
              key={value}
              onClick={() => {
                close()
                choose(value)
              }}
            >
              {option}
            </button>
          ))}
        </div>
      )}
    </>
  )
}

/** A press of the mouse must not take the focus: where it leaves the menu, that closes. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

/** Below the button, but within the row that both stand in. */
function place(list: HTMLElement, button: HTMLElement): void {
  const row = list.offsetParent as HTMLElement | null
  const left = Math.min(button.offsetLeft, (row?.clientWidth ?? 0) - list.offsetWidth)
  list.style.left = `${Math.max(0, left)}px`
  list.style.top = `${button.offsetTop + button.offsetHeight + 4}px`
}

/** The next item after the present one whose label begins with that letter. */
function beginningWith(items: readonly HTMLButtonElement[], at: number, letter: string): HTMLButtonElement | undefined {
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(item =>
    item.textContent.toLowerCase().startsWith(letter.toLowerCase()),
  )
}
