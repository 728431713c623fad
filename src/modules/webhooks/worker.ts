import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AppDb } from '../../kernel/db.ts'
import { createWorkLoop } from '../../kernel/work-loop.ts'
import { bodyOf } from './body.ts'
import { type Claimed, type Concurrency, claimDeliveries, type Outcome, releaseLeases, storeOutcomes } from './claim.ts'
import { fanOut, hasQueuedEvents } from './fan-out.ts'
import { examineEndpoint, storeFinding } from './health.ts'
import { nextTry, readRetryAfter } from './schedule.ts'
import { postBody, type Response } from './send.ts'
import { signatureHeaders, UnreadableSecret } from './sign.ts'
import type { Targets } from './targets.ts'

export type WorkerOptions = {
  db: AppDb
  log: Logger
  /** The true time. */
  now: () => Date
  /** Without it, the worker sees deliveries that are sent again every few seconds only. */
  listen?: ((onMessage: (message: string) => void) => Promise<() => Promise<void>>) | undefined
  key: Buffer
  targets: Targets
  concurrency?: Partial<Concurrency>
  stopAfterMs?: number
  /** Called with the state of a delivery after each try. */
  onTried?: (state: Outcome['state']) => void
  random?: () => number
}

export type WebhookWorker = {
  start(): void
  runOnce(): Promise<void>
  /** Starts no more tries, waits for those that run, and gives back what it still holds. */
  stop(): Promise<void>
  inFlight(): number
}

const defaultConcurrency: Concurrency = { total: 128, perEndpoint: 32, perFailingEndpoint: 2 }

const pollEveryMs = 2_000
/** How often the worker looks for new events meanwhile, which costs little. */
const lookForEventsEveryMs = 250
/** Outcomes are stored together, at the latest after this time. */
const storeAfterMs = 20
/** How long `stop` waits for tries. A shutdown has 10 seconds in all. */
const defaultStopAfterMs = 7_000

/** Turns events into deliveries, and sends them. Any number of instances share the work: see `claimDeliveries`. */
export function createWebhookWorker(options: WorkerOptions): WebhookWorker {
  const { db, log, now, listen, key, targets, random, stopAfterMs = defaultStopAfterMs } = options
  const concurrency = { ...defaultConcurrency, ...options.concurrency }
  const running = new Map<Claimed, Promise<void>>()
  const stopped = new AbortController()
  setMaxListeners(0, stopped.signal)
  const outcomes: Outcome[] = []
  let storing: Promise<void> = Promise.resolve()
  let storeTimer: NodeJS.Timeout | undefined

  const busy = () => {
    const counts = new Map<string, number>()
    for (const { endpoint } of running.keys()) counts.set(endpoint.id, (counts.get(endpoint.id) ?? 0) + 1)
    return counts
  }
  const store = () => {
    clearTimeout(storeTimer)
    storeTimer = undefined
    storing = storing.then(async () => {
      const done = outcomes.splice(0)
      if (done.length > 0) await storeAll({ db, log, now }, done)
      for (const { claimed } of done) running.delete(claimed)
      loop.wake()
    })
    return storing
  }
  const tryOne = async (claimed: Claimed) => {
    const outcome = await makeTry({ key, targets, now, random }, claimed, stopped.signal)
    // What was cut off by the shutdown is given back instead.
    if (loop.isStopping && stopped.signal.aborted && outcome.state !== 'succeeded') return
    options.onTried?.(outcome.state)
    outcomes.push(outcome)
    if (outcomes.length >= 50) await store()
    else storeTimer ??= setTimeout(store, storeAfterMs)
  }
  /** Starts what is due. Returns whether there may be more. */
  const step = async () => {
    const hasMoreEvents = await fanOut(db, now())
    const free = concurrency.total - running.size
    const claimed = await claimDeliveries(db, now(), free, busy(), concurrency)
    for (const one of claimed) {
      running.set(
        one,
        tryOne(one).catch((err: unknown) => log.error({ err }, 'webhook delivery failed unexpectedly')),
      )
    }
    return hasMoreEvents || claimed.length > 0
  }
  /** Waits until there may be work: until it is woken, or there are new events, or a while has passed. */
  const rest = async (woken: Promise<void>) => {
    let isWoken = false
    const waking = woken.then(() => {
      isWoken = true
    })
    for (let waitedMs = 0; waitedMs < pollEveryMs && !isWoken; waitedMs += lookForEventsEveryMs) {
      await Promise.race([waking, pause(lookForEventsEveryMs, undefined, { ref: false })])
      if (!isWoken && (await hasQueuedEvents(db))) return
    }
  }
  const loop = createWorkLoop({
    step,
    rest,
    restMs: pollEveryMs,
    onFailure: (err) => log.warn({ err }, 'webhook worker failed, retrying'),
  })
  let unlisten: Promise<() => Promise<void>> | undefined
  return {
    start() {
      loop.start()
      unlisten = listen?.((message) => message === 'webhooks' && loop.wake())
      unlisten?.catch((err: unknown) => log.warn({ err }, 'could not listen for webhooks, looking for them regularly'))
    },
    async runOnce() {
      while ((await step()) || running.size > 0) {
        await Promise.all(running.values())
        await store()
      }
    },
    async stop() {
      if (loop.isStopping) return
      const ended = loop.stop()
      await unlisten?.then((end) => end()).catch(() => {})
      const timer = setTimeout(() => stopped.abort(), stopAfterMs)
      await Promise.all([ended, ...running.values()])
      clearTimeout(timer)
      await store()
      await releaseLeases(db, [...running.keys()], now()).catch((err: unknown) =>
        log.warn({ err }, 'could not give back webhook deliveries'),
      )
    },
    inFlight: () => running.size,
  }
}

type Sender = Pick<WorkerOptions, 'key' | 'targets' | 'now' | 'random'>

async function makeTry({ key, targets, now, random }: Sender, claimed: Claimed, signal: AbortSignal): Promise<Outcome> {
  const { delivery, endpoint, event } = claimed
  const at = now()
  const body = delivery.body ?? (event && bodyOf(event, endpoint.format))
  if (body === null) {
    const tried = { at: at.toISOString(), status: null, ms: 0, error: 'the event is no longer kept', response: null }
    return { claimed, tried, state: 'failed', nextTryAt: null, body: null }
  }
  const response = await sendSigned(targets, endpoint, key, { id: delivery.eventId, at, body }, signal)
  const { status, ms, error, text } = response
  const tried = { at: at.toISOString(), status, ms, error, response: text }
  const hasSucceeded =
    endpoint.format === 'standard' ? status !== null && status >= 200 && status < 300 : status === 200
  if (hasSucceeded) return { claimed, tried, state: 'succeeded', nextTryAt: null, body: null }
  const { tries, createdAt } = delivery
  const retryAfterMs = readRetryAfter(response.retryAfter, now())
  const nextTryAt = status === 410 ? null : nextTry({ tries: tries + 1, createdAt }, now(), retryAfterMs, random)
  return { claimed, tried, state: nextTryAt ? 'pending' : 'failed', nextTryAt, body }
}

async function sendSigned(
  targets: Targets,
  endpoint: Claimed['endpoint'],
  key: Buffer,
  message: { id: string; at: Date; body: string },
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await postBody(targets, endpoint.url, message.body, signatureHeaders(endpoint, key, message), signal)
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error
    return { status: null, ms: 0, retryAfter: undefined, text: null, error: error.message }
  }
}

/** Stores outcomes, and the health of endpoints. What fails is tried again after its lease. */
async function storeAll(
  { db, log, now }: Pick<WorkerOptions, 'db' | 'log' | 'now'>,
  outcomes: Outcome[],
): Promise<void> {
  try {
    await storeOutcomes(db, outcomes, now())
    for (const endpointId of new Set(outcomes.map(({ claimed }) => claimed.endpoint.id))) {
      const ofEndpoint = outcomes.filter(({ claimed }) => claimed.endpoint.id === endpointId)
      const finding = examineEndpoint(ofEndpoint, now())
      if (!finding) continue
      const { programId } = finding.endpoint
      const disabled = await storeFinding(db, finding, now())
      const { disabledReason: reason } = finding
      if (disabled) log.warn({ programId, endpointId, reason }, 'webhook endpoint disabled')
      else if (finding.failingSince && !reason) log.warn({ programId, endpointId }, 'webhook endpoint fails')
      else if (!reason) log.info({ programId, endpointId }, 'webhook endpoint works again')
    }
  } catch (err) {
    log.warn({ err, count: outcomes.length }, 'could not store outcomes of webhook deliveries')
  }
}
