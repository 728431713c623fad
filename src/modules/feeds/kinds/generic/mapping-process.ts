import { Worker } from 'node:worker_threads'
import jsonata from 'jsonata'
import { excerpt } from '../../../../kernel/text.ts'
import type { Answer, Request } from './evaluator.ts'

// The program of the process that evaluates mappings. `scripts/build.mjs` makes a text of it for `evaluator.ts`.

/** What an evaluation may take: milliseconds, nested calls, and values of one list. */
const bounds = { timeout: 500, stack: 200, sequence: 10_000 }
/** In characters, as JSON. */
const largestResult = 64 * 1024
/** Regular expressions of a mapping see this much of a text. */
const longestMatched = 1_000

class BoundedRegExp extends RegExp {
  override exec(text: string): RegExpExecArray | null {
    if (text.length > longestMatched)
      throw new Error(`Regular expressions may match texts of up to ${longestMatched} characters.`)
    return super.exec(text)
  }
}

type Problem = { message?: string; position?: number; code?: string }

function explained(what: string, error: unknown): string {
  const { message = String(error), position } = error as Problem
  return `${what}: ${excerpt(message, 200)}${position === undefined ? '' : ` (at character ${position})`}`
}

/** The expression that was used last: the events of a feed come one after the other. */
let last: { mapping: string; expression: jsonata.Expression } | undefined

function parse(mapping: string): jsonata.Expression {
  if (last?.mapping !== mapping)
    last = { mapping, expression: jsonata(mapping, { ...bounds, RegexEngine: BoundedRegExp as RegExpConstructor }) }
  return last.expression
}

async function answer({ mapping, body }: Request): Promise<Answer> {
  let expression: jsonata.Expression
  try {
    expression = parse(mapping)
  } catch (error) {
    return { problem: explained('The mapping cannot be read', error) }
  }
  if (body === undefined) return { text: 'null' }
  try {
    const text = JSON.stringify(await expression.evaluate(body)) ?? 'null'
    if (text.length <= largestResult) return { text }
    return { problem: `The mapping made more than ${largestResult / 1024} KiB of this event.` }
  } catch (error) {
    if (isTimeout(error)) return { ended: `The mapping took longer than ${bounds.timeout} ms.` }
    return { problem: explained('The mapping failed for this event', error) }
  }
}

/** The time was over, perhaps inside of `$eval`. */
const isTimeout = (error: unknown) => (error as Problem).message?.includes('Evaluation timeout') === true

process.on('message', async (request: Request) => {
  const before = process.cpuUsage()
  const found = await answer(request)
  const { user, system } = process.cpuUsage(before)
  process.send?.({ ...found, cpuMs: (user + system) / 1000 })
})
process.on('disconnect', () => process.exit())

// An evaluation without end would not see that the service is gone, so a thread of its own looks for it.
new Worker(`setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL') }, 1000)`, {
  eval: true,
})
process.send?.({ ready: true })
