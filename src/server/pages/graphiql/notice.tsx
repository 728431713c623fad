import { useSyncExternalStore } from 'react'

let text = ''
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Says something in passing: that it was copied, or why not. */
export function say(next: string): void {
  clearTimeout(timer)
  text = next
  if (next) timer = setTimeout(() => say(''), 6_000)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Notice() {
  const shown = useSyncExternalStore(subscribe, () => text)
  return (
    <div className="notice" role="status" aria-live="polite" data-shown={shown !== ''}>
      {shown}
    </div>
  )
}
