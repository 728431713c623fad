import { useEffect, useRef, useState } from 'react'
import { texts } from '../texts.ts'

const words = texts.guard

/** What would be lost: entries, or a secret that is not shown again. */
type Lost = 'entries' | 'secret'

type Guard = { lost: Lost | undefined; stay(): void; discard(): void }

/** Marks what a dialog shows only once. */
export const shownOnce = { 'data-shown-once': true }

/** Keeps Escape and the cross from throwing away what was entered in a dialog, or what it shows only once. */
export function useGuard(isOpen: boolean, onClose: () => void) {
  const popup = useRef<HTMLDivElement>(null)
  const isChanged = useRef(false)
  const [lost, setLost] = useState<Lost>()
  useEffect(() => {
    if (isOpen) return
    isChanged.current = false
    setLost(undefined)
  }, [isOpen])
  return {
    popup: {
      ref: popup,
      onInput: () => {
        isChanged.current = true
      },
    },
    lost,
    leave() {
      if (lost) return setLost(undefined)
      if (popup.current?.querySelector('[data-shown-once]')) return setLost('secret')
      if (isChanged.current && popup.current?.querySelector('form, input')) return setLost('entries')
      onClose()
    },
    stay: () => setLost(undefined),
    discard: onClose,
  }
}

/** Asks at the foot of the dialog. Escape stays. */
export function Question({ guard: { lost, stay, discard } }: { guard: Guard }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (lost) button.current?.focus()
  }, [lost])
  if (!lost) return null
  return (
    <div role="alert" className="dialog-foot question">
      <p>{words[lost]}</p>
      <button type="button" ref={button} onClick={stay}>
        {words.stay}
      </button>
      <button type="button" className="danger" onClick={discard}>
        {words.discard[lost]}
      </button>
    </div>
  )
}
