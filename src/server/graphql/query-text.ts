import { limits } from '../../graphql/cost.ts'
import { tooComplex } from './query-errors.ts'

/** Checks the text of a query before it is parsed: its length, and how deep its brackets are. @throws the limit */
export function checkText(text: string): void {
  if (text.length > limits.characters) {
    const message = `A query may have ${limits.characters} characters; this one has ${text.length}. Send values as variables.`
    throw tooComplex('characters', message)
  }
  if (isNestedDeeper(text, limits.brackets)) {
    throw tooComplex(
      'depth',
      `The brackets of a query may be nested ${limits.brackets} levels deep. Send deep values as variables, or join conditions on one level.`,
    )
  }
}

/** What has no brackets of the query inside: texts in three quotes, texts, comments. Or one bracket. */
const parts = /"""(?:\\"""|[\s\S])*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|#.*|[{[(]|[}\])]/g

function isNestedDeeper(text: string, levels: number): boolean {
  let depth = 0
  for (const [part] of text.matchAll(parts)) {
    if ('{[('.includes(part)) depth += 1
    else if ('}])'.includes(part)) depth -= 1
    if (depth > levels) return true
  }
  return false
}
