import type { ApiKey, Program } from '../../../generated/prisma/client.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { mintId } from '../../../kernel/ids.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { findById } from '../../../kernel/lookup.ts'
import { findProgram } from '../../programs/service.ts'
import { createApiKeyInput, updateApiKeyInput } from './input.ts'
import { hashSecret, isWellFormedSecret, mintSecret, secretPrefix } from './secret.ts'

/** Creates a key. The result holds its secret, which cannot be read again. @throws NOT_FOUND; INVALID_INPUT */
export async function createApiKey(
  ctx: Ctx,
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
  const secret = mintSecret()
  const now = ctx.now()
  const apiKey = await ctx.db.apiKey.create({
    data: {
      programId: program.id,
      id: mintId(now),
      name,
      access,
      profile,
      words,
      prefix: secretPrefix,
      lastFour: secret.slice(-4),
      secretHash: hashSecret(secret),
      createdAt: now,
    },
  })
  return { apiKey, secret }
}

/** The convention's words for states are only available with the superset profile. */
const wordsProblem = ({ profile = 'contract', words = 'contract' }: Partial<Pick<ApiKey, 'profile' | 'words'>>) =>
  words === 'convention' && profile === 'contract'
    ? [problem('words', "can be the convention's only with the superset profile")]
    : []

/**
 * Updates the given fields, with effect from the key's next request. Setting the contract profile also resets the words
 * to the contract's.
 *
 * @throws NOT_FOUND; INVALID_INPUT
 */
export async function updateApiKey(ctx: Ctx, id: string, raw: unknown): Promise<ApiKey> {
  const apiKey = await findApiKey(ctx, id)
  const input = await parseInput(updateApiKeyInput, raw, ({ profile = apiKey.profile, words }) =>
    wordsProblem({ profile, ...(words && { words }) }),
  )
  const where = { programId_id: { programId: apiKey.programId, id } }
  const words = input.profile === 'contract' ? ('contract' as const) : input.words
  return ctx.db.apiKey.update({ where, data: { ...input, ...(words && { words }) } })
}

/** A program's keys, newest first, including revoked ones. @throws NOT_FOUND */
export async function listApiKeys(ctx: Ctx, programId: string): Promise<ApiKey[]> {
  const program = await findProgram(ctx, programId)
  return ctx.db.apiKey.findMany({ where: { programId: program.id }, orderBy: { id: 'desc' } })
}

/** Revokes a key immediately. Revoking it again changes nothing. @throws NOT_FOUND */
export async function revokeApiKey(ctx: Ctx, id: string): Promise<ApiKey> {
  const apiKey = await findApiKey(ctx, id)
  await ctx.db.apiKey.updateMany({
    where: { programId: apiKey.programId, id, revokedAt: null },
    data: { revokedAt: ctx.now() },
  })
  return ctx.db.apiKey.findUniqueOrThrow({ where: { programId_id: { programId: apiKey.programId, id } } })
}

const findApiKey = (ctx: Ctx, id: string): Promise<ApiKey> =>
  findById('API key', id, () => ctx.db.apiKey.findFirst({ where: { id } }))

/** The key with this secret, and its program. Null if the secret is unknown or the key is revoked. */
export async function findKeyBySecret(
  ctx: Pick<Ctx, 'db'>,
  secret: string,
): Promise<(ApiKey & { program: Program }) | null> {
  if (!isWellFormedSecret(secret)) return null
  return ctx.db.apiKey.findFirst({
    where: { secretHash: hashSecret(secret), revokedAt: null },
    include: { program: true },
  })
}
