import type { Customer, Prisma } from '../../generated/prisma/client.ts'
import { emailKey } from '../../kernel/email.ts'
import { mintId } from '../../kernel/ids.ts'

/** `isNew` where this transaction made it: nothing can belong to it yet. */
export type LockedCustomer = Customer & { isNew: boolean }

/**
 * The customer with this e-mail, made where there is none, locked until the transaction ends. Whoever chooses among a
 * customer's referrals holds this lock, so that parallel first sales of one customer choose in turn. The name that was
 * told first is kept.
 */
export async function lockCustomer(
  tx: Prisma.TransactionClient,
  programId: string,
  { email, name = null }: { email: string; name?: string | null | undefined },
  now: Date,
): Promise<LockedCustomer> {
  const id = mintId(now)
  // An update locks the row even where it changes nothing, and leaves it free to be pointed at: a sale that is told by
  // its referral, which it holds, never waits here.
  const [customer] = await tx.$queryRaw<[Customer]>`
    insert into customers as known (program_id, id, email, email_key, name, created_at, updated_at)
    values (${programId}::uuid, ${id}::uuid, ${email}, ${emailKey(email)}, ${name}, ${now}::timestamptz, ${now}::timestamptz)
    on conflict (program_id, email_key) do update set
      name = coalesce(known.name, excluded.name),
      updated_at = case when known.name is null and excluded.name is not null then excluded.updated_at else known.updated_at end
    returning program_id as "programId", id, email, email_key as "emailKey", name, created_at as "createdAt", updated_at as "updatedAt"`
  return { ...customer, isNew: customer.id === id }
}
