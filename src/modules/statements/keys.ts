import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { isUniqueViolation } from '../../database/client/errors.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { AppDb, Db } from '../../kernel/db.ts'
import { decryptSecret, encryptSecret } from '../../kernel/encryption.ts'
import { refused } from '../../kernel/errors.ts'

export type KeyCtx = ProgramCtx & { webhooks: { key: Buffer } }

export const boundTo = (programId: string, id: string): string => `statements ${programId} ${id}`

/** By RFC 7638. */
const thumbprint = (x: string): string =>
  createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')

function mintKey(key: Buffer, programId: string, createdAt: Date) {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x, d } = privateKey.export({ format: 'jwk' }) as { x: string; d: string }
  const id = thumbprint(x)
  return { programId, id, publicKey: x, secret: encryptSecret(key, boundTo(programId, id), d), createdAt }
}

type SigningKey = { id: string; sign: (text: string) => string }

/** The key that signs for the program. The first use creates it, once on all instances. @throws REFUSED */
export async function signingKey({ db, program, now, webhooks: { key } }: KeyCtx): Promise<SigningKey> {
  const where = { programId: program.id, retiredAt: null }
  let row = await db.statementKey.findFirst({ where })
  if (!row) {
    await db.statementKey.create({ data: mintKey(key, program.id, now()) }).catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error
    })
    row = await db.statementKey.findFirstOrThrow({ where })
  }
  const { id, publicKey: x, secret } = row
  const d = decryptSecret(key, boundTo(program.id, id), secret)
  if (d === null)
    throw refused(
      'The key that signs statements was encrypted with another key of the installation. Restore WEBHOOK_KEY (or the file webhook-key), or make a new key with rotateStatementKey.',
    )
  const privateKey = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x, d }, format: 'jwk' })
  return { id, sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url') }
}

/** Makes a new key. The months before stay signed by theirs, whose public keys stay published. */
export async function rotateKey(
  tx: Prisma.TransactionClient,
  { program, webhooks: { key } }: Pick<KeyCtx, 'program' | 'webhooks'>,
  now: Date,
): Promise<string> {
  const programId = program.id
  await tx.$queryRaw`select 1 from programs where id = ${programId}::uuid for no key update`
  await tx.statementKey.updateMany({ where: { programId, retiredAt: null }, data: { retiredAt: now } })
  const made = await tx.statementKey.create({ data: mintKey(key, programId, now) })
  return made.id
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JWS in compact form (RFC 7515) with EdDSA (RFC 8037). @param payload canonical JSON */
export function sealWith({ id, sign: signed }: SigningKey, payload: string): string {
  const text = `${encoded({ alg: 'EdDSA', kid: id, typ: 'tributary-month+jws' })}.${Buffer.from(payload).toString('base64url')}`
  return `${text}.${signed(text)}`
}

export type Jwk = { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string; alg: 'EdDSA'; use: 'sig'; sandbox?: true }

/** The public keys of all programs, or of one: also those that sign nothing more. */
export async function publicKeys(db: AppDb | Db, programId?: string): Promise<Jwk[]> {
  const rows = await db.statementKey.findMany({
    where: { ...(programId && { programId }), program: { deletedAt: null } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, publicKey: true, program: { select: { isSandbox: true } } },
  })
  return rows.map(({ id: kid, publicKey: x, program }) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    x,
    kid,
    alg: 'EdDSA',
    use: 'sig',
    ...(program.isSandbox && { sandbox: true as const }),
  }))
}
