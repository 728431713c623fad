import { isId } from '../../kernel/ids.ts'
import { isSignatureOf, signatureOf } from '../mails/signature.ts'

/** `changeId` is the entry of the history that a link rejects. */
export type Rejecting = { programId: string; affiliateId: string; changeId: string }

const signed = ({ programId, affiliateId, changeId }: Rejecting) =>
  `payout change ${programId} ${affiliateId} ${changeId}`

export const rejectUrl = (publicUrl: string, key: Buffer, rejecting: Rejecting): string => {
  const { programId, affiliateId, changeId } = rejecting
  return `${publicUrl}/mail/payout-address/${programId}/${affiliateId}/${changeId}/${signatureOf(key, signed(rejecting))}`
}

/** What a path rejects, after `/mail/payout-address/`. Null if it was not made here. */
export function readRejectPath(key: Buffer, path: string): Rejecting | null {
  const [programId = '', affiliateId = '', changeId = '', signature = '', ...more] = path.split('/')
  if (![programId, affiliateId, changeId].every(isId) || more.length > 0) return null
  const rejecting = { programId, affiliateId, changeId }
  return isSignatureOf(key, signed(rejecting), signature) ? rejecting : null
}
