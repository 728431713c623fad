import type { Prisma } from '../../generated/prisma/client.ts'
import { emailKey } from '../../kernel/email.ts'
import { paidEmails } from '../payout-methods/addresses.ts'
import type { AddressChange, PayoutAddress } from './trusted-address.ts'

type Payment = { paidAt: Date; recipient: string | null }

/** Payments that arrived: those that failed, came back or were not claimed are none. */
const paymentsOf = (tx: Prisma.TransactionClient, programId: string, affiliateId: string) =>
  tx.$queryRaw<Payment[]>`
    select distinct p.paid_at as "paidAt", i.recipient from payouts p
    left join payout_run_items i on i.program_id = p.program_id and i.payout_id = p.id and i.state = 'paid'
    where p.program_id = ${programId}::uuid and p.affiliate_id = ${affiliateId}::uuid
      and p.paid_at is not null and p.failed_at is null`

/**
 * The keys of the e-mail addresses that payments to an affiliate have reached. Payments outside a run do not say where
 * they went: they went to the address of that time.
 * @param changes of the address, from the newest to the oldest
 */
export async function paidAddresses(
  tx: Prisma.TransactionClient,
  { programId, id, ...current }: PayoutAddress & { programId: string; id: string },
  changes: readonly AddressChange[],
): Promise<Set<string>> {
  const payments = await paymentsOf(tx, programId, id)
  const reached = payments.flatMap(({ paidAt, recipient }) =>
    recipient === null ? emailsAt(current, changes, paidAt) : [recipient],
  )
  return new Set(reached.flatMap((address) => (address ? [emailKey(address)] : [])))
}

function emailsAt(current: PayoutAddress, changes: readonly AddressChange[], at: Date): (string | null)[] {
  const later = changes.filter((change) => change.at > at).reverse()
  return paidEmails.map((name) => {
    const replaced = later.find(({ fields }) => fields[name])?.fields[name]
    return replaced ? (replaced[0] as string | null) : current[name]
  })
}
