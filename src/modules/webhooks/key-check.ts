import type { AppDb } from '../../kernel/db.ts'
import { decryptSecret, encryptSecret } from '../../kernel/encryption.ts'
import { secretOfRow } from '../access/affiliate-tokens/signing-secret.ts'

const boundTo = 'encryption check'
const wanted = 'tributary'
const where = { id: 1 }

/** Whether this key encrypted the secrets in the database, by a value that the first start stores. */
export async function isKeyOfDatabase(db: AppDb, key: Buffer, now: Date): Promise<boolean> {
  let row = await db.encryptionCheck.findUnique({ where })
  if (!row) {
    // A database of an earlier version has no such value, but may have secrets.
    if (!(await readsSecrets(db, key))) return false
    await db.encryptionCheck.createMany({ data: checkOf(key, now), skipDuplicates: true })
    row = await db.encryptionCheck.findUniqueOrThrow({ where })
  }
  return decryptSecret(key, boundTo, row.value) === wanted
}

const checkOf = (key: Buffer, now: Date) => ({ ...where, value: encryptSecret(key, boundTo, wanted), createdAt: now })

async function readsSecrets(db: AppDb, key: Buffer): Promise<boolean> {
  const [endpoint, signing] = await Promise.all([
    db.webhookEndpoint.findFirst(),
    db.affiliateTokenSecret.findFirst({ where: { secret: { startsWith: 'encrypted:' } } }),
  ])
  return (
    (!endpoint || decryptSecret(key, endpoint.id, endpoint.secret) !== null) &&
    (!signing || secretOfRow({ key }, signing) !== null)
  )
}

export type Replaced = { programs: number; endpoints: number; people: number }

/**
 * Makes a key that of the database although the old one is lost. Signing secrets of affiliate tokens, which are made
 * anew, and second factors are deleted. Secrets of webhook endpoints stay unreadable until they are rotated, because
 * receivers must know the new ones. Secrets of feeds, credentials of payout services and tax ids stay unreadable until
 * somebody enters them again.
 * @returns how many have lost theirs
 */
export async function replaceLostKey(db: AppDb, key: Buffer, now: Date): Promise<Replaced> {
  const data = checkOf(key, now)
  const [programs, people, , , , endpoints] = await db.$transaction([
    db.affiliateTokenSecret.deleteMany(),
    db.person.updateMany({ where: { hasSecondFactor: true }, data: { hasSecondFactor: false } }),
    db.secondFactor.deleteMany(),
    db.personSession.deleteMany(),
    db.encryptionCheck.upsert({ where, create: data, update: data }),
    db.webhookEndpoint.count(),
    // The next month is signed with a new key. The public keys of earlier months stay.
    db.statementKey.updateMany({ where: { retiredAt: null }, data: { retiredAt: now } }),
  ])
  return { programs: programs.count, people: people.count, endpoints }
}
