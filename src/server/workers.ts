import cluster, { type Worker } from 'node:cluster'
import { setFlagsFromString } from 'node:v8'
import type { Logger } from 'pino'
import { RateLimiterClusterMaster } from 'rate-limiter-flexible'

/** A worker that lived shorter than this when it ended is replaced with a delay, so that a crash loop does not spin. */
const shortLifeMs = 10_000
const restartDelayMs = 1_000

/**
 * Runs the service in several processes that share the port, and replaces those that end. The first starts alone: it
 * migrates and makes the demo. If it cannot start, this process exits with 1. This process counts the rate limits of
 * all.
 * @param count how many processes serve requests
 */
export function superviseWorkers(count: number, log: Logger): void {
  new RateLimiterClusterMaster()
  let isStopping = false
  let isStarted = false

  // As JSON, NaN and infinity in metrics would become null.
  cluster.setupPrimary({ args: process.argv.slice(2), serialization: 'advanced' })
  cluster.on('message', (_worker, message) => {
    if (isStarted || message !== readyMessage) return
    isStarted = true
    cluster.setupPrimary({ args: process.argv.slice(2).filter((argument) => argument !== '--demo') })
    for (let n = 1; n < count; n += 1) startWorker()
  })
  const startWorker = (): void => {
    if (isStopping) return
    const worker = cluster.fork()
    const startedAt = performance.now()
    worker.once('exit', (code, signal) => onExit(worker, { code, signal, lifeMs: performance.now() - startedAt }))
  }
  const onExit = (worker: Worker, { code, signal, lifeMs }: { code: number; signal: string; lifeMs: number }) => {
    if (isStopping) return endWhenAllHave()
    // The worker has printed the reason.
    if (!isStarted) process.exit(code || 1)
    log.error({ worker: worker.id, code, signal }, 'worker ended, starting another')
    setTimeout(startWorker, lifeMs < shortLifeMs ? restartDelayMs : 0)
  }
  const endWhenAllHave = () => {
    if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      isStopping = true
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
      endWhenAllHave()
    })
  }
  startWorker()
}

const readyMessage = 'ready'

/** Sets V8's flags of garbage collection. Called when the service starts, so they hold for npm, Docker and systemd. */
export function setGarbageCollection(): void {
  // By default, V8 allocates objects as old ones where such objects once lived long. An old object keeps what it refers
  // to in memory until the old ones are collected: here, whole requests.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Old objects are collected once the heap has grown by half. By default, it may grow fourfold before.
  setFlagsFromString('--heap-growing-percent=50')
}

export const thisWorker = {
  /** The number of this process; null if it is the only one. */
  id: cluster.worker?.id ?? null,
  /** Whether this process prints what only one of them should. */
  isFirst: (cluster.worker?.id ?? 1) === 1,
  isSupervisor: (workers: number): boolean => workers > 1 && cluster.isPrimary,
  /** Lets the supervisor start the others. */
  reportReady: (): void => {
    cluster.worker?.send(readyMessage)
  },
}
