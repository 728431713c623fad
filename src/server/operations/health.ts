import { isReadOnly } from '../../database/client/errors.ts'
import type { Database } from '../../database/open.ts'
import { type Answer, jsonAnswer } from '../../http/answer.ts'
import { isRead } from '../../http/incoming.ts'
import { version } from '../../kernel/package-root.ts'
import type { Handler } from '../handler.ts'
import { createWriteCheck } from './write-check.ts'

export type Health = {
  /** `/healthz`: the process runs, and which version it is. */
  alive: Handler
  /** `/readyz`: the database responds, a write works, and the service is not stopping. */
  ready: Handler
  /** Reports "not ready" from now on, so that load balancers send requests elsewhere. */
  stop(): void
}

type Checked = Pick<Database, 'ping'> & Partial<Pick<Database, 'tryWrite'>>

export function createHealth({ ping, tryWrite = async () => {} }: Checked): Health {
  const findWriteProblem = createWriteCheck(tryWrite)
  let stopping = false
  const readiness = async () => {
    if (stopping) return 'stopping'
    return ping().then(
      async () => (await findWriteProblem()) ?? 'ready',
      (error: unknown) => (isReadOnly(error) ? 'database read-only' : 'database unavailable'),
    )
  }
  return {
    alive: onlyAt('/healthz', () => jsonAnswer({ status: 'alive', version })),
    ready: onlyAt('/readyz', async () => {
      const status = await readiness()
      return jsonAnswer({ status }, status === 'ready' ? 200 : 503)
    }),
    stop: () => {
      stopping = true
    },
  }
}

/** Other methods, and paths below this one, do not exist. */
const onlyAt =
  (path: string, answer: () => Answer | Promise<Answer>): Handler =>
  (incoming) =>
    isRead(incoming) && incoming.path === path ? answer() : null
