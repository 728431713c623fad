import { LRUCache } from 'lru-cache'

const summaries = new LRUCache<string, string>({ max: 1_000 })

/** The name of a statement's span: what it does, and with which table first. "SELECT affiliates" */
export function summaryOf(text: string): string {
  const known = summaries.get(text) ?? summarise(text)
  summaries.set(text, known)
  return known
}

function summarise(text: string): string {
  const [verb = 'SQL'] = /[a-z]+/i.exec(text) ?? []
  const [, table] = /\b(?:from|into|update)\s+(?:only\s+)?(?:"?public"?\.)?"?([a-z_]+)"?(?!\s*\()/i.exec(text) ?? []
  return table ? `${verb.toUpperCase()} ${table}` : verb.toUpperCase()
}
