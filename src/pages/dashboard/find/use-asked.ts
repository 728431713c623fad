import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What the view opens at once: "create". */
    asked?: string | undefined
  }
}

/**
 * Opens something of a view if the box that finds everything led to it. It is opened once, also if the page is loaded
 * again.
 */
export function useAsked(what: string, open: () => void): void {
  const asked = useLocation({ select: ({ state }) => state.asked })
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `open` is another function each time
  useEffect(() => {
    if (asked !== what) return
    open()
    void navigate({ to: '.', search: true as never, replace: true, state: { asked: undefined } })
  }, [asked, what])
}
