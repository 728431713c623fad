import { useSyncExternalStore } from 'react'

let text = ''
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Shows a short message for six seconds. */
export function showNotice(next: string): void {
  clearTimeout(timer)
  text = next
  if (next) timer = setTimeout(() => showNotice(''), 6_000)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Notice() {
  const current = useSyncExternalStore(subscribe, () => text)
  return (
    <div className="notice" role="status" aria-live="polite" data-shown={current !== ''}>
      {current}
    </div>
  )
}
