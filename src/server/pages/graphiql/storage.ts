import { currentSession } from './session.ts'

/** Results have more to show than queries; the bar between them is kept where it is dragged to. */
const firstTime: Record<string, string> = { 'graphiql:editorFlex': '0.7' }

/**
 * What GraphiQL keeps between visits (tabs, queries, its theme). Whatever the session's key stands in, typed into a
 * query for example, is not kept; neither are headers, which the page has no editor for.
 */
export const keylessStorage = {
  getItem: (name: string) => localStorage.getItem(name) ?? firstTime[name] ?? null,
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
