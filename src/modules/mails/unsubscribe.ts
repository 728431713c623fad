import { withTransaction } from '../../database/client/transaction.ts'
import type { AppDb } from '../../kernel/db.ts'
import { isId } from '../../kernel/ids.ts'
import { saveMailChoices } from './choices.ts'
import { isSignatureOf, signatureOf } from './signature.ts'

/** What one click stops. */
type Stoppable = 'commissions' | 'payouts'

export type Stopping = { programId: string; affiliateId: string; what: Stoppable }

const signed = ({ programId, affiliateId, what }: Stopping) => `mail unsubscribe ${programId} ${affiliateId} ${what}`

/** The address that stops mails without signing in. It does not expire, and gives no other access. */
export const unsubscribeUrl = (publicUrl: string, key: Buffer, stopping: Stopping): string =>
  `${publicUrl}/mail/unsubscribe/${stopping.programId}/${stopping.affiliateId}/${stopping.what}/${signatureOf(key, signed(stopping))}`

/** What a path stops, after `/mail/unsubscribe/`. Null if it was not made here. */
export function readUnsubscribePath(key: Buffer, path: string): Stopping | null {
  const [programId = '', affiliateId = '', what = '', signature = '', ...more] = path.split('/')
  if (!isId(programId) || !isId(affiliateId) || (what !== 'commissions' && what !== 'payouts') || more.length > 0)
    return null
  const stopping = { programId, affiliateId, what } as const
  return isSignatureOf(key, signed(stopping), signature) ? stopping : null
}

/** Stops mails of a kind to an affiliate. Idempotent. */
export async function unsubscribe(db: AppDb, { programId, affiliateId, what }: Stopping, now: Date): Promise<void> {
  const choice = what === 'payouts' ? { payouts: false } : { commissions: 'never' as const }
  await withTransaction(db.ofProgram(programId), (tx) => saveMailChoices(tx, { programId, affiliateId }, choice, now))
}
