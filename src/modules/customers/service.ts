import type { Write } from '../../database/client/write.ts'
import type { Customer } from '../../generated/prisma/client.ts'
import { emailKey } from '../../kernel/email.ts'
import { mintId } from '../../kernel/ids.ts'

type Reported = { email: string; name?: string | null | undefined }

/** A customer without a row yet. */
export const newCustomer = (programId: string, { email, name = null }: Reported, now: Date): Customer => ({
  programId,
  id: mintId(now),
  email,
  emailKey: emailKey(email),
  name,
  createdAt: now,
  updatedAt: now,
})

/** Gives a name to a customer without one: the first reported name is kept. */
export const namedCustomer = (
  customer: Pick<Customer, 'programId' | 'id' | 'name'>,
  name: string | null | undefined,
  now: Date,
): Write => ({
  name: 'customers',
  sql: `update customers c set name = n.name, updated_at = n.updated_at
    from jsonb_populate_recordset(null::customers, $1::jsonb -> 'customers') n
    where c.program_id = n.program_id and c.id = n.id`,
  rows:
    name && customer.name === null ? [{ programId: customer.programId, id: customer.id, name, updatedAt: now }] : [],
})
