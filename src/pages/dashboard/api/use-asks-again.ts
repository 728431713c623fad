import { useEffect } from 'react'

/** How often the service is asked for what changes there by itself. */
const pollMs = 3_000

/** Asks again and again while something is still to come, unless the page is out of sight. */
export function useAsksAgain(isWaiting: boolean, ask: () => void): void {
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => document.hidden || ask(), pollMs)
    return () => clearInterval(timer)
  }, [isWaiting, ask])
}
