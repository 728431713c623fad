import { currentSession } from './session.ts'

/**
 * Initial values. At 1280 pixels the query gets half of the window; GraphiQL stores where the user drags the divider.
 */
const defaults: Record<string, string> = { 'graphiql:editorFlex': '1.2' }

/**
 * The storage for what GraphiQL keeps between visits: tabs, queries, its theme. Values that contain the session's key,
 * for example a query with the key in it, are not stored.
 */
export const keylessStorage = {
  getItem: (name: string) => localStorage.getItem(name) ?? defaults[name] ?? null,
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
