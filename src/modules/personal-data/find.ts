import type { Db, ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { notFound } from '../../kernel/errors.ts'

/** Where a program knows an e-mail address from. One person can be a customer and an affiliate. */
export type Person = { customerId: string | null; affiliateId: string | null; unattributedSaleIds: string[] }

/** Finds a person by e-mail, in any case of letters. @throws NOT_FOUND if the program does not know the address */
export async function findPerson(db: Db, { program }: Pick<ProgramCtx, 'program'>, email: string): Promise<Person> {
  const key = emailKey(email)
  const where = { programId_emailKey: { programId: program.id, emailKey: key } }
  const customer = await db.customer.findUnique({ where, select: { id: true } })
  const affiliate = await db.affiliate.findUnique({ where, select: { id: true } })
  const unattributedSales = await db.$queryRaw<{ id: string }[]>`
    select id::text from unattributed_sales where program_id = ${program.id}::uuid and lower(email) = ${key}`
  if (!customer && !affiliate && unattributedSales.length === 0) throw notFound('Person', email)
  return {
    customerId: customer?.id ?? null,
    affiliateId: affiliate?.id ?? null,
    unattributedSaleIds: unattributedSales.map(({ id }) => id),
  }
}
