/** The longest quoted text or word of a message that is kept. Ids and the names of types are shorter. */
const maxPart = 50
const keptOfPart = 30

/** For all quoted texts and literals of a message together. */
const maxRepeated = 100

/** Messages about short values are shorter. */
const maxMessage = 300
const keptOfMessage = 120

/** GraphQL's suggestions are names of the schema, not what was sent. */
const suggestions = ' Did you mean '

/** Shortens a message of GraphQL, which repeats what was sent. */
export function shortened(message: string): string {
  // The rest of a message of a megabyte is not searched.
  const start = message.slice(0, maxMessage * 10)
  const [sentence = '', ...hints] = start.split(suggestions)
  const parts = [shortenedParts(shortenedLiteral(sentence)), ...hints].join(suggestions)
  return parts.length > maxMessage ? `${parts.slice(0, keptOfMessage)}…` : parts
}

/** "Int cannot represent non-integer value: [1, 2, …": a list or an object can consist of many short parts. */
const shortenedLiteral = (sentence: string): string =>
  sentence.replace(/(, found |value: )([[{][\s\S]+)$/, (whole, before: string, literal: string) =>
    literal.length <= maxPart ? whole : `${before}${literal.slice(0, keptOfPart)}…`,
  )

function shortenedParts(sentence: string): string {
  let repeated = 0
  return sentence.replace(/"[^"]*"?|[^\s"]+/g, (part) => {
    const isQuoted = part.startsWith('"')
    const kept = part.length <= maxPart + 2 ? part : `${part.slice(0, keptOfPart)}…${isQuoted ? '"' : ''}`
    if (isQuoted) repeated += kept.length - 2
    return isQuoted && repeated > maxRepeated ? '"…"' : kept
  })
}
