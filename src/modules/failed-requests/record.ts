import type { Logger } from 'pino'
import { withTransaction } from '../../database/client/transaction.ts'
import { insertRows } from '../../database/client/write.ts'
import { repeatInBackground } from '../../database/upkeep/background.ts'
import { dropExpired } from '../../database/upkeep/partitions.ts'
import type { FailedRequest } from '../../generated/prisma/client.ts'
import { addDays } from '../../kernel/dates.ts'
import type { AppDb } from '../../kernel/db.ts'
import { mintId } from '../../kernel/ids.ts'
import { redacted } from '../../kernel/log.ts'
import { excerpt } from '../../kernel/text.ts'

/** How long failed requests are kept, unless the configuration says otherwise. */
const defaultDays = 7

const flushEveryMs = 5_000
const deleteEveryMs = 3_600_000
/** A client that fails all the time must not fill the table: more than these in one flush are left out. */
const maxPerKey = 50
const maxLength = { path: 300, problem: 500, query: 500, body: 4_000 }

/** The code of a request that succeeded, but repeated a report with another amount or currency. */
export const differentDuplicate = 'DIFFERENT_DUPLICATE'

export type FailedRequests = {
  note(request: Omit<FailedRequest, 'id' | 'createdAt'>): void
  flush(): Promise<void>
  start(): void
  stop(): void
}

/** Collects requests that failed, and writes them in the background. A crash loses the last seconds of them. */
export function createFailedRequests(db: AppDb, log: Logger, now: () => Date, keptDays = defaultDays): FailedRequests {
  let waiting: FailedRequest[] = []
  let deletedAt = now().getTime()
  const perKey = new Map<string, number>()
  const flush = async () => {
    const data = waiting
    waiting = []
    perKey.clear()
    if (data.length > 0) await withTransaction(db, (tx) => insertRows(tx, 'failed_requests', data))
    if (now().getTime() < deletedAt + deleteEveryMs) return
    deletedAt = now().getTime()
    const until = await dropExpired(db, { table: 'failed_requests', until: addDays(now(), -keptDays), keptDays }, log)
    await db.failedRequest.deleteMany({ where: { createdAt: { lt: until } } })
  }
  let stop = () => {}
  return {
    note({ path, problem, query, body, ...request }) {
      const count = (perKey.get(request.apiKeyId) ?? 0) + 1
      perKey.set(request.apiKeyId, count)
      if (count > maxPerKey) return
      const at = now()
      const shortened = {
        path: excerpt(redacted(path), maxLength.path),
        problem: excerpt(redacted(problem), maxLength.problem),
        query: query && excerpt(redacted(query), maxLength.query),
        body: body && excerpt(redacted(body), maxLength.body),
      }
      waiting.push({ ...request, ...shortened, id: mintId(at), createdAt: at })
    },
    flush,
    start() {
      const failureMessage = 'could not record failed requests'
      stop = repeatInBackground(flush, { everyMs: flushEveryMs, log, failureMessage })
    },
    stop: () => stop(),
  }
}
