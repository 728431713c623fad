import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../../kernel/context.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { decryptSecret, encryptSecret } from '../../../kernel/encryption.ts'
import { refused } from '../../../kernel/errors.ts'

/** What signing needs: the true time, because tokens expire in true time, and the key of the installation. */
export type SigningCtx = Pick<Ctx, 'db' | 'now'> & { webhooks: { key: Buffer } }

/** Before the encrypted secret. Secrets of earlier versions are without it, and in plain text. */
export const encryptedPrefix = 'encrypted:'

export const boundTo = (programId: string) => `affiliate tokens ${programId}`

const encrypted = (key: Buffer, programId: string, secret: string): string =>
  encryptedPrefix + encryptSecret(key, boundTo(programId), secret)

export const mintStored = (key: Buffer, programId: string): string =>
  encrypted(key, programId, randomBytes(32).toString('base64url'))

/** The secret of a row. Null if it was encrypted with another key. */
export const secretOfRow = (
  { key }: SigningCtx['webhooks'],
  { programId, secret }: { programId: string; secret: string },
): string | null =>
  secret.startsWith(encryptedPrefix)
    ? decryptSecret(key, boundTo(programId), secret.slice(encryptedPrefix.length))
    : secret

type Row = { programId: string; secret: string; previousSecret: string | null; previousEndsAt: Date | null }

/** The secrets with which a token can be signed: the present one, and the one before it while it is kept. */
export function acceptedSecrets({ now, webhooks }: Pick<SigningCtx, 'now' | 'webhooks'>, row: Row): string[] {
  const { programId, secret, previousSecret, previousEndsAt } = row
  const isKept = previousSecret !== null && previousEndsAt !== null && previousEndsAt > now()
  const stored = isKept ? [secret, previousSecret] : [secret]
  return stored.flatMap((one) => secretOfRow(webhooks, { programId, secret: one }) ?? [])
}

/** Reads or creates the program's signing secret, once on all instances. @throws REFUSED if another key encrypted it */
export async function secretOf({ db, now, webhooks }: SigningCtx, programId: string): Promise<string> {
  const where = { programId }
  let row = await db.affiliateTokenSecret.findUnique({ where })
  if (!row) {
    const data = { programId, secret: mintStored(webhooks.key, programId), createdAt: now() }
    await db.affiliateTokenSecret.createMany({ data, skipDuplicates: true })
    row = await db.affiliateTokenSecret.findUniqueOrThrow({ where })
  }
  const secret = secretOfRow(webhooks, row)
  if (secret === null)
    throw refused(
      'The signing secret of this program was encrypted with another key. Restore WEBHOOK_KEY (or the file webhook-key), or make a new secret with revokeAffiliateTokens.',
    )
  return secret
}

/** Encrypts the secrets that an earlier version has stored. Returns how many. */
export async function encryptStoredSecrets(db: AppDb, key: Buffer): Promise<number> {
  const plain = await db.affiliateTokenSecret.findMany({ where: { NOT: { secret: { startsWith: encryptedPrefix } } } })
  let count = 0
  for (const { programId, secret } of plain) {
    // Another instance may have encrypted or replaced it meanwhile.
    const data = { secret: encrypted(key, programId, secret) }
    count += (await db.affiliateTokenSecret.updateMany({ where: { programId, secret }, data })).count
  }
  return count
}
