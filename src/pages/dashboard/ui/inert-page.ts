import { useLayoutEffect } from 'react'

let openDialogs = 0

/** Keeps the focus out of the page below. Without it, Tab pressed fast passes the dialog's own guards. */
export function useInertPage(isOpen: boolean): void {
  // Before the dialog's own effects, which give the focus back to the page.
  useLayoutEffect(() => {
    if (!isOpen) return
    const page = document.getElementById('page') as HTMLElement
    openDialogs += 1
    page.inert = true
    return () => {
      openDialogs -= 1
      page.inert = openDialogs > 0
    }
  }, [isOpen])
}
