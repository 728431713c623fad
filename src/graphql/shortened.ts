/** The longest quoted text or word of a message that is kept. Ids and the names of types are shorter. */
const maxPart = 50
const keptOfPart = 30

/** Messages about short values are shorter. */
const maxMessage = 300
const keptOfMessage = 120

/** Shortens a message of GraphQL, which repeats what was sent. */
export function shortened(message: string): string {
  // The rest of a message of a megabyte is not searched.
  const start = message.slice(0, maxMessage * 10)
  const parts = start.replace(/"[^"]*"?|[^\s"]+/g, (part) =>
    part.length <= maxPart + 2 ? part : `${part.slice(0, keptOfPart)}…${part.startsWith('"') ? '"' : ''}`,
  )
  return parts.length > maxMessage ? `${parts.slice(0, keptOfMessage)}…` : parts
}
