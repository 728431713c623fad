import type { Logger } from 'pino'
import type { ApiKey } from '../../../generated/prisma/client.ts'
import type { AppDb } from '../../../kernel/db.ts'

export type LastUsed = {
  note(key: Pick<ApiKey, 'programId' | 'id'>, at: Date): void
  flush(): Promise<void>
}

/** Buffers the last use of each key until `flush`, so that many requests with a key cause one write. */
export function createLastUsed(db: AppDb, log: Logger): LastUsed {
  const uses = new Map<string, { programId: string; at: Date }>()
  return {
    note: ({ programId, id }, at) => void uses.set(id, { programId, at }),
    async flush() {
      const pending = [...uses]
      uses.clear()
      for (const [id, { programId, at }] of pending) {
        await db.apiKey
          .updateMany({
            where: { programId, id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: at } }] },
            data: { lastUsedAt: at },
          })
          .catch((error: unknown) => log.warn({ apiKeyId: id, err: error }, 'could not record last use of API key'))
      }
    },
  }
}
