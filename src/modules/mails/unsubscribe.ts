import { withTransaction } from '../../database/client/transaction.ts'
import type { AppDb } from '../../kernel/db.ts'
import { isId } from '../../kernel/ids.ts'
import { type Choices, saveMailChoices } from './choices.ts'
import { isSignatureOf, signatureOf } from './signature.ts'

/** What one click stops: mails to affiliates, and to managers. */
const stops = {
  commissions: { commissions: 'never' },
  payouts: { getsPayoutMails: false },
  statements: { getsStatementMails: false },
  terms: { getsTermsMails: false },
  messages: { getsMessageMails: false },
  rewards: { getsRewardMails: false },
} satisfies Record<string, Partial<Choices>>
/** The columns in which people choose what they get of a program that they manage. */
export const managerChoices = { daily: 'getsDailyMails', failures: 'getsFailureMails' } as const

export type Stoppable = keyof typeof stops | keyof typeof managerChoices

/** @property addresseeId the affiliate, or the person who manages the program */
export type Stopping = { programId: string; addresseeId: string; what: Stoppable }

const signed = ({ programId, addresseeId, what }: Stopping) => `mail unsubscribe ${programId} ${addresseeId} ${what}`

/** The address that stops mails without signing in. It does not expire, and gives no other access. */
export const unsubscribeUrl = (publicUrl: string, key: Buffer, stopping: Stopping): string =>
  `${publicUrl}/mail/unsubscribe/${stopping.programId}/${stopping.addresseeId}/${stopping.what}/${signatureOf(key, signed(stopping))}`

/** What a path stops, after `/mail/unsubscribe/`. Null if it was not made here. */
export function readUnsubscribePath(key: Buffer, path: string): Stopping | null {
  const [programId = '', addresseeId = '', what = '', signature = '', ...more] = path.split('/')
  if (!isId(programId) || !isId(addresseeId) || !isStoppable(what) || more.length > 0) return null
  const stopping = { programId, addresseeId, what }
  return isSignatureOf(key, signed(stopping), signature) ? stopping : null
}

const isStoppable = (what: string): what is Stoppable => Object.hasOwn(stops, what) || isOfManagers(what)
export const isOfManagers = (what: string): what is keyof typeof managerChoices => Object.hasOwn(managerChoices, what)

/** Stops mails of a kind to an affiliate or a manager. Idempotent. */
export async function unsubscribe(db: AppDb, { programId, addresseeId, what }: Stopping, now: Date): Promise<void> {
  await withTransaction(db.ofProgram(programId), async (tx) => {
    if (isOfManagers(what))
      await tx.member.updateMany({
        where: { programId, personId: addresseeId },
        data: { [managerChoices[what]]: false },
      })
    else await saveMailChoices(tx, { programId, affiliateId: addresseeId }, stops[what], now)
  })
}
