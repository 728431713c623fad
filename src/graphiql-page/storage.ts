import { currentSession } from './session.ts'

/**
 * What GraphiQL keeps between visits (tabs, queries, its theme). Whatever the session's key stands in, typed into a
 * query for example, is not kept; neither are headers, which the page has no editor for.
 */
export const keylessStorage = {
  getItem: (name: string) => localStorage.getItem(name),
  removeItem: (name: string) => localStorage.removeItem(name),
  clear: () => localStorage.clear(),
  setItem(name: string, value: string) {
    const { key } = currentSession()
    if (key && value.includes(key)) return
    localStorage.setItem(name, value)
  },
  get length() {
    return localStorage.length
  },
}
