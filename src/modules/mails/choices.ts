import { withTransaction } from '../../database/client/transaction.ts'
import type { MailChoices, Prisma } from '../../generated/prisma/client.ts'
import { CommissionMails } from '../../generated/prisma/enums.ts'
import type { AppDb, Db } from '../../kernel/db.ts'
import { isId } from '../../kernel/ids.ts'
import { isSignatureOf, signatureOf } from './signature.ts'

export type Addressee = { programId: string; affiliateId: string }
export type Choices = Pick<
  MailChoices,
  'commissions' | 'getsPayoutMails' | 'getsStatementMails' | 'getsTermsMails' | 'getsMessageMails' | 'getsRewardMails'
>

/** The choices that are yes or no, and what the page calls them, in its order. */
export const checkboxes = {
  getsPayoutMails: 'payouts',
  getsStatementMails: 'statements',
  getsRewardMails: 'rewards',
  getsTermsMails: 'terms',
  getsMessageMails: 'messages',
} as const satisfies Record<Exclude<keyof Choices, 'commissions'>, string>

/** Without a choice. */
export const defaultChoices: Choices = {
  commissions: 'daily',
  getsPayoutMails: true,
  getsStatementMails: true,
  getsTermsMails: true,
  getsMessageMails: true,
  getsRewardMails: true,
}

export async function readMailChoices(db: Db, { programId, affiliateId }: Addressee): Promise<Choices> {
  const where = { programId_affiliateId: { programId, affiliateId } }
  return (await db.mailChoices.findUnique({ where })) ?? defaultChoices
}

/** Keeps the given choices. The others stay as they are. */
export async function saveMailChoices(
  tx: Prisma.TransactionClient,
  { programId, affiliateId }: Addressee,
  given: Partial<Choices>,
  now: Date,
): Promise<void> {
  const row = { ...given, updatedAt: now }
  const where = { programId_affiliateId: { programId, affiliateId } }
  await tx.mailChoices.upsert({ where, create: { programId, affiliateId, ...row }, update: row })
}

const signed = ({ programId, affiliateId }: Addressee) => `mail preferences ${programId} ${affiliateId}`

/** The page where an affiliate chooses mails without signing in. It does not expire, and gives no other access. */
export const preferencesUrl = (publicUrl: string, key: Buffer, addressee: Addressee): string =>
  `${publicUrl}/mail/preferences/${addressee.programId}/${addressee.affiliateId}/${signatureOf(key, signed(addressee))}`

/** Whose mails a path is about, after `/mail/preferences/`. Null if it was not made here. */
export function readPreferencesPath(key: Buffer, path: string): Addressee | null {
  const [programId = '', affiliateId = '', signature = '', ...more] = path.split('/')
  if (!isId(programId) || !isId(affiliateId) || more.length > 0) return null
  const addressee = { programId, affiliateId }
  return isSignatureOf(key, signed(addressee), signature) ? addressee : null
}

/** Keeps what was chosen in the page's form. A checkbox that is not checked is not sent. */
export async function choosePreferences(
  db: AppDb,
  addressee: Addressee,
  fields: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  const commissions = Object.values(CommissionMails).find((cadence) => cadence === fields.commissions)
  const given = {
    ...(commissions && { commissions }),
    ...Object.fromEntries(Object.entries(checkboxes).map(([choice, name]) => [choice, fields[name] !== undefined])),
  }
  await withTransaction(db.ofProgram(addressee.programId), (tx) => saveMailChoices(tx, addressee, given, now))
}
