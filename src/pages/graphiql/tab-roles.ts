import { useEffect } from 'react'

/**
 * GraphiQL's tabs have buttons inside of a tab, which screen readers cannot reach. They are a list of buttons instead,
 * of which one is current.
 */
export function useListOfTabs(): void {
  useEffect(() => {
    const list = document.querySelector('.graphiql-tabs')
    if (!list) return
    const mend = () => {
      set(list, { role: 'list', 'aria-orientation': null })
      for (const tab of list.querySelectorAll('.graphiql-tab')) {
        const isActive = tab.classList.contains('graphiql-tab-active')
        set(tab, { role: 'listitem', 'aria-selected': null })
        const button = tab.querySelector('.graphiql-tab-button')
        if (button) set(button, { 'aria-current': isActive ? 'true' : null })
      }
    }
    mend()
    const observer = new MutationObserver(mend)
    observer.observe(list, { childList: true, subtree: true, attributeFilter: ['aria-selected', 'class', 'role'] })
    return () => observer.disconnect()
  }, [])
}

/** Only what differs is written: each change calls the observer. */
function set(element: Element, attributes: Record<string, string | null>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(name)
    else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
  }
}
