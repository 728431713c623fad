import type { ProgramCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'
import { emailKey } from '../../kernel/email.ts'
import { notFound } from '../../kernel/errors.ts'

/** Where a program knows an e-mail address from. One person can be a customer and an affiliate. */
export type Person = { customerId: string | null; affiliateId: string | null; unattributedSaleIds: string[] }

/** Finds a person by e-mail, in any spelling. @throws NOT_FOUND if the program does not know the address */
export async function findPerson(db: Db, { program }: Pick<ProgramCtx, 'program'>, email: string): Promise<Person> {
  const key = emailKey(email)
  const where = { programId_emailKey: { programId: program.id, emailKey: key } }
  const customer = await db.customer.findUnique({ where, select: { id: true } })
  const affiliate = await db.affiliate.findUnique({ where, select: { id: true } })
  const unattributedSales = await findUnattributedSales(db, program.id, key)
  const isKnown = customer || affiliate || unattributedSales.length > 0 || (await hasApplied(db, program.id, key))
  if (!isKnown) throw notFound('Person', email)
  return {
    customerId: customer?.id ?? null,
    affiliateId: affiliate?.id ?? null,
    unattributedSaleIds: unattributedSales,
  }
}

/** Unattributed sales have the text that was sent as the e-mail: any spelling, or a name besides the address. */
async function findUnattributedSales(db: Db, programId: string, key: string): Promise<string[]> {
  const candidates = await db.$queryRaw<{ id: string; email: string }[]>`
    select id::text, email from unattributed_sales where program_id = ${programId}::uuid
      and (strpos(lower(email), ${key}) > 0 or email ~ '[^ -~]' or email ilike '%xn--%')`
  const isTheirs = (sent: string) => sent.split(/[\s<>"'(),;:]+/).some((part) => emailKey(part) === key)
  return candidates.filter(({ email }) => isTheirs(email)).map(({ id }) => id)
}

/** Whether somebody has applied with the address, or a mail was written to it. */
async function hasApplied(db: Db, programId: string, key: string): Promise<boolean> {
  const applications = await db.application.count({ where: { programId, emailKey: key } })
  return applications > 0 || (await db.mail.count({ where: { programId, toKey: key } })) > 0
}
