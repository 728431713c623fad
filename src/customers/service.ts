import type { Customer, Prisma } from '../generated/prisma/client.ts'
import { mintId } from '../ids.ts'
import { emailKey } from './email.ts'

/**
 * The customer with this e-mail, made where there is none, locked until the transaction ends. Whoever chooses among a
 * customer's referrals holds this lock, so that parallel first sales of one customer choose in turn.
 */
export async function lockCustomer(
  tx: Prisma.TransactionClient,
  programId: string,
  person: { email: string; name?: string | undefined },
  now: Date,
): Promise<Customer> {
  const key = emailKey(person.email)
  const row = {
    programId,
    id: mintId(now),
    email: person.email,
    emailKey: key,
    name: person.name ?? null,
    createdAt: now,
    updatedAt: now,
  }
  await tx.customer.createMany({ data: [row], skipDuplicates: true })
  await tx.$queryRaw`select 1 from customers where program_id = ${programId}::uuid and email_key = ${key} for update`
  const customer = await tx.customer.findUniqueOrThrow({ where: { programId_emailKey: { programId, emailKey: key } } })
  if (customer.name !== null || person.name === undefined) return customer
  return tx.customer.update({
    where: { programId_id: { programId, id: customer.id } },
    data: { name: person.name, updatedAt: now },
  })
}
