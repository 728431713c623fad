import type { Logger } from 'pino'
import { withTransaction } from '../../../database/client/transaction.ts'
import type { ApiKey, Program } from '../../../generated/prisma/client.ts'
import type { Ctx, ManagementCtx } from '../../../kernel/context.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { mintId } from '../../../kernel/ids.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { findById } from '../../../kernel/lookup.ts'
import { eventsOf, recordEvents } from '../../events/record.ts'
import { recordChange } from '../../history/record.ts'
import { findProgram } from '../../programs/service.ts'
import { createApiKeyInput, updateApiKeyInput } from './input.ts'
import { hashSecret, mintSecret, secretPrefixOf } from './secret.ts'

/** Creates a key. The result holds its secret, which cannot be read again. @throws NOT_FOUND; INVALID_INPUT */
export async function createApiKey(
  ctx: ManagementCtx,
  programId: string,
  raw: unknown,
): Promise<{ apiKey: ApiKey; secret: string }> {
  const program = await findProgram(ctx, programId)
  const {
    name,
    access = 'full',
    profile = 'contract',
    words = 'contract',
  } = await parseInput(createApiKeyInput, raw, wordsProblem)
  const secret = mintSecret(ctx.cell)
  const now = ctx.now()
  const data = {
    programId: program.id,
    id: mintId(now),
    name,
    access,
    profile,
    words,
    prefix: secretPrefixOf(ctx.cell),
    lastFour: secret.slice(-4),
    secretHash: hashSecret(secret),
    createdAt: now,
  }
  const apiKey = await withTransaction(ctx.db, async (tx) => {
    const created = await tx.apiKey.create({ data })
    const recorder = { ...ctx, program }
    await recordChange(tx, recorder, { ...subjectOf(created), action: 'created' }, null, created, now)
    await recordEvents(tx, recorder, eventsOf(created.id, ['tributary.api_key.created']), now)
    return created
  })
  return { apiKey, secret }
}

const subjectOf = ({ id }: Pick<ApiKey, 'id'>) => ({ subject: 'api_key' as const, subjectId: id })

/** The convention's words for states are only available with the superset profile. */
const wordsProblem = ({ profile = 'contract', words = 'contract' }: Partial<Pick<ApiKey, 'profile' | 'words'>>) =>
  words === 'convention' && profile === 'contract'
    ? [problem('words', "can be the convention's only with the superset profile")]
    : []

/** Updates a key from its next request on. The contract profile resets the words. @throws NOT_FOUND; INVALID_INPUT */
export async function updateApiKey(ctx: ManagementCtx, id: string, raw: unknown): Promise<ApiKey> {
  const apiKey = await findApiKey(ctx, id)
  const input = await parseInput(updateApiKeyInput, raw, ({ profile = apiKey.profile, words }) =>
    wordsProblem({ profile, ...(words && { words }) }),
  )
  const where = { programId_id: { programId: apiKey.programId, id } }
  const words = input.profile === 'contract' ? ('contract' as const) : input.words
  return withTransaction(ctx.db, async (tx) => {
    const updated = await tx.apiKey.update({ where, data: { ...input, ...(words && { words }) } })
    const recorder = { ...ctx, program: { id: apiKey.programId } }
    const now = ctx.now()
    await recordChange(tx, recorder, { ...subjectOf(apiKey), action: 'updated' }, apiKey, updated, now)
    await recordEvents(tx, recorder, eventsOf(id, ['tributary.api_key.updated']), now)
    return updated
  })
}

/** A program's keys, newest first, including revoked ones. @throws NOT_FOUND */
export async function listApiKeys(ctx: ManagementCtx, programId: string): Promise<ApiKey[]> {
  const program = await findProgram(ctx, programId)
  return ctx.db.apiKey.findMany({ where: { programId: program.id }, orderBy: { id: 'desc' } })
}

/** Revokes a key immediately. Revoking it again changes nothing. @throws NOT_FOUND */
export async function revokeApiKey(ctx: ManagementCtx, id: string): Promise<ApiKey> {
  const apiKey = await findApiKey(ctx, id)
  const { programId } = apiKey
  return withTransaction(ctx.db, async (tx) => {
    const now = ctx.now()
    const { count } = await tx.apiKey.updateMany({
      where: { programId, id, revokedAt: null },
      data: { revokedAt: now },
    })
    const revoked = await tx.apiKey.findUniqueOrThrow({ where: { programId_id: { programId, id } } })
    if (count > 0) {
      const recorder = { ...ctx, program: { id: programId } }
      await recordChange(tx, recorder, { ...subjectOf(apiKey), action: 'revoked' }, apiKey, revoked, now)
      await recordEvents(tx, recorder, eventsOf(id, ['tributary.api_key.revoked']), now)
    }
    return revoked
  })
}

const findApiKey = ({ db, onlyProgramId }: ManagementCtx, id: string): Promise<ApiKey> =>
  findById('API key', id, () =>
    db.apiKey.findFirst({ where: { id, ...(onlyProgramId !== undefined && { programId: onlyProgramId }) } }),
  )

/** The parts of a key that a request needs. Without the last use, so that the row stays the same. */
export type KeyOfRequest = Pick<ApiKey, 'programId' | 'id' | 'access' | 'profile' | 'words'> & { program: Program }

const fieldsOfRequest = { programId: true, id: true, access: true, profile: true, words: true, program: true } as const

/** The key with this hash, and its program; null if unknown or revoked. While unchanged, the same object. */
export const findKeyByHash = ({ db }: Pick<Ctx, 'db'>, secretHash: string): Promise<KeyOfRequest | null> =>
  db.reads.again('apiKey', {
    where: { secretHash, revokedAt: null },
    select: fieldsOfRequest,
  })

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
