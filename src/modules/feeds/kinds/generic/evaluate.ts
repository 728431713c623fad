import { excerpt } from '../../../../kernel/text.ts'
import { type Json, Unusable } from '../json.ts'

/** What an evaluation may take: milliseconds, nested calls, and values of one list. */
const bounds = { timeout: 500, stack: 200, sequence: 10_000 }
/** In bytes, as JSON. */
const largestResult = 64 * 1024

/** Regular expressions of a mapping see this much of a text, so that none takes long. */
const longestMatched = 1_000

class BoundedRegExp extends RegExp {
  override exec(text: string): RegExpExecArray | null {
    if (text.length > longestMatched)
      throw new Error(`Regular expressions may match texts of up to ${longestMatched} characters.`)
    return super.exec(text)
  }
}

type Problem = { message?: string; position?: number; code?: string }

const explained = (what: string, error: unknown): Unusable => {
  const { message = String(error), position } = error as Problem
  return new Unusable(`${what}: ${excerpt(message, 200)}${position === undefined ? '' : ` (at character ${position})`}`)
}

/** The package is loaded when the first mapping is used. */
async function parse(mapping: string) {
  const { default: jsonata } = await import('jsonata')
  try {
    return jsonata(mapping, { ...bounds, RegexEngine: BoundedRegExp as RegExpConstructor })
  } catch (error) {
    throw explained('The mapping cannot be read', error)
  }
}

/** Why an expression is no mapping, or null. */
export async function problemOfMapping(mapping: string): Promise<string | null> {
  try {
    await parse(mapping)
    return null
  } catch (error) {
    if (error instanceof Unusable) return error.message
    throw error
  }
}

/** The value of an expression for an event, as plain JSON. @throws Unusable */
export async function evaluate(mapping: string, body: Json): Promise<unknown> {
  const expression = await parse(mapping)
  let text: string | undefined
  try {
    text = JSON.stringify(await expression.evaluate(body))
  } catch (error) {
    throw explained('The mapping failed for this event', error)
  }
  if (text === undefined) return null
  if (text.length > largestResult)
    throw new Unusable(`The mapping made more than ${largestResult / 1024} KiB of this event.`)
  return JSON.parse(text)
}
