import type { Customer, Prisma } from '../../generated/prisma/client.ts'
import { emailKey } from '../../kernel/email.ts'
import { mintId } from '../../kernel/ids.ts'

/** `isNew` if this transaction created the customer. A new customer has no referrals yet. */
export type LockedCustomer = Customer & { isNew: boolean }

/**
 * Finds or creates the customer with this e-mail, and locks the row until the transaction ends. Code that chooses among
 * a customer's referrals holds this lock, so that concurrent first sales of one customer choose one after the other. The
 * first reported name is kept.
 */
export async function lockCustomer(
  tx: Prisma.TransactionClient,
  programId: string,
  { email, name = null }: { email: string; name?: string | null | undefined },
  now: Date,
): Promise<LockedCustomer> {
  const id = mintId(now)
  // The update locks the row even if it changes nothing. The lock allows foreign keys to reference the row, so a sale
  // that was reported by referral id never waits here.
  const [customer] = await tx.$queryRaw<[Customer]>`
    insert into customers as known (program_id, id, email, email_key, name, created_at, updated_at)
    values (${programId}::uuid, ${id}::uuid, ${email}, ${emailKey(email)}, ${name}, ${now}::timestamptz, ${now}::timestamptz)
    on conflict (program_id, email_key) do update set
      name = coalesce(known.name, excluded.name),
      updated_at = case when known.name is null and excluded.name is not null then excluded.updated_at else known.updated_at end
    returning program_id as "programId", id, email, email_key as "emailKey", name, created_at as "createdAt", updated_at as "updatedAt"`
  return { ...customer, isNew: customer.id === id }
}
