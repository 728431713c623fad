import { setTimeout as pause } from 'node:timers/promises'
import { OperatorError } from '../database/operator-error.ts'
import { isOwnType } from '../modules/events/types.ts'
import { bodyOfRendered } from '../modules/webhooks/body.ts'
import { mintSecret } from '../modules/webhooks/secrets.ts'
import { signedBy } from '../modules/webhooks/sign.ts'
import { followEvents, type ReadEvent } from './follow-events.ts'
import { printable } from './import/printable.ts'

type ListenOptions = {
  program: string
  forwardTo: string
  format?: string
  types?: string[]
  secret?: string
  json?: boolean
}

const deadlineMs = 10_000
const pollEveryMs = 500

/**
 * Forwards a program's events to a receiver, one after the other, and prints the responses. Rejected events are not
 * sent again. Runs until the process is ended.
 * @throws OperatorError if the first request to the server fails
 */
export async function listen({ program, forwardTo, types, json, ...options }: ListenOptions): Promise<never> {
  if (!URL.canParse(forwardTo)) throw new OperatorError(`--forward-to must be a URL: ${forwardTo}`)
  const format = options.format === 'CONVENTION' ? 'convention' : 'standard'
  const secret = options.secret ?? mintSecret(format)
  const print = (fields: Record<string, unknown>, text: string) =>
    console.log(json || !process.stdout.isTTY ? JSON.stringify(fields) : printable(text))
  const readNext = await followEvents(program, types)
  print({ forward_to: forwardTo, format, secret }, `Events are sent to ${forwardTo}. Secret: ${secret}`)
  const counts = summarizeAtEnd(forwardTo)
  let problem: string | null = null
  for (;;) {
    try {
      for (const event of await readNext()) {
        if (format === 'convention' && isOwnType(event.type)) continue
        const answer = await forward(event, forwardTo, format, secret)
        const { status, ms, error } = answer
        counts.add(answer)
        print(
          { event_id: event.id, type: event.type, ...answer },
          `${event.type}  ${event.id}  ${status ?? error}  ${ms} ms`,
        )
      }
      if (problem) print({ server: 'works again' }, 'The server works again.')
      problem = null
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      if (problem !== error.message) print({ server: error.message }, error.message)
      problem = error.message
    }
    await pause(pollEveryMs)
  }
}

/** Counts on standard error: when nothing answers for the first time, and at the end of the command. */
function summarizeAtEnd(url: string) {
  let [accepted, failed] = [0, 0]
  let reason = ''
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      const why = failed > 0 ? `; the last failure: ${reason}` : ''
      console.error(
        printable(`Events that were sent: ${accepted + failed}. Accepted: ${accepted}. Failed: ${failed}${why}.`),
      )
      process.exit(0)
    })
  return {
    add({ status, error }: { status: number | null; error: string | null }) {
      const isAccepted = status !== null && status >= 200 && status < 300
      if (isAccepted) accepted += 1
      else failed += 1
      if (isAccepted) return
      if (status === null && failed === 1)
        console.error(printable(`Nothing answers at ${url}: ${error}. Start the receiver; events are not sent again.`))
      reason = error ?? `status ${status}`
    },
  }
}

async function forward(event: ReadEvent, url: string, format: 'standard' | 'convention', secret: string) {
  const { id } = event
  const body = bodyOfRendered({ ...event, object: event.data, createdAt: new Date(event.createdAt) }, format)
  const headers = { 'content-type': 'application/json', ...signedBy(format, [secret], { id, at: new Date(), body }) }
  const startedAt = performance.now()
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(deadlineMs),
  }).then(
    async (response) => {
      await response.body?.cancel()
      return { status: response.status, error: null }
    },
    ({ cause, message }: Error) => ({ status: null, error: cause instanceof Error ? cause.message : message }),
  )
  return { ...answer, ms: Math.round(performance.now() - startedAt) }
}
