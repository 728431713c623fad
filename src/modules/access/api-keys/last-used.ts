import type { Logger } from 'pino'
import type { ApiKey, PrismaClient } from '../../../generated/prisma/client.ts'

export type LastUsed = {
  note(key: Pick<ApiKey, 'programId' | 'id'>, at: Date): void
  flush(): Promise<void>
}

/** Remembers when keys were used and writes it down now and then: a minute's uses of a key cost one write, not one each. */
export function createLastUsed(db: PrismaClient, log: Logger): LastUsed {
  const uses = new Map<string, { programId: string; at: Date }>()
  return {
    note: ({ programId, id }, at) => void uses.set(id, { programId, at }),
    async flush() {
      const noted = [...uses]
      uses.clear()
      for (const [id, { programId, at }] of noted) {
        await db.apiKey
          .updateMany({
            where: { programId, id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: at } }] },
            data: { lastUsedAt: at },
          })
          .catch((error: unknown) =>
            log.warn({ err: error, apiKeyId: id }, 'The last use of a key could not be written down.'),
          )
      }
    },
  }
}
