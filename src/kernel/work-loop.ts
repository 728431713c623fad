import { setTimeout as pause } from 'node:timers/promises'

export type WorkLoop = {
  start(): void
  /** Ends a rest early. */
  wake(): void
  /** Begins no more steps, and waits for the one that runs. */
  stop(): Promise<void>
  readonly isStopping: boolean
}

type Work = {
  /** @returns whether there may be more to do */
  step(): Promise<boolean>
  /** How long the loop rests if there is nothing to do, or after a failure. */
  restMs: number
  /** Rests another way if there is nothing to do. `woken` resolves when the loop is woken. */
  rest?(woken: Promise<void>): Promise<void>
  onFailure(error: unknown): void
}

/** Repeats a step in the background until it is stopped. A step that fails is repeated after a rest. */
export function createWorkLoop({ step, restMs, onFailure, ...work }: Work): WorkLoop {
  let isStopping = false
  let wake = () => {}
  let running: Promise<void> | undefined
  const restOf = (woken: Promise<void>) => Promise.race([woken, pause(restMs, undefined, { ref: false })])
  const rest = work.rest ?? restOf
  async function run(): Promise<void> {
    while (!isStopping) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      try {
        if (!(await step()) && !isStopping) await rest(woken)
      } catch (error) {
        onFailure(error)
        if (!isStopping) await restOf(woken)
      }
    }
  }
  return {
    start() {
      running ??= run()
    },
    wake: () => wake(),
    async stop() {
      isStopping = true
      wake()
      await running
    },
    get isStopping() {
      return isStopping
    },
  }
}
