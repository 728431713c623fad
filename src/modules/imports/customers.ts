import { emailKey } from '../../kernel/email.ts'
import { mintId } from '../../kernel/ids.ts'
import type { Batch } from './batch.ts'

type Person = { email: string; name: string | null; at: Date }

/** The customers with these e-mails, made where there are none, by what is compared of the e-mail. */
export async function takeCustomers({ tx, ctx }: Batch, people: readonly Person[]): Promise<Map<string, string>> {
  if (people.length === 0) return new Map()
  const programId = ctx.program.id
  const byKey = new Map<string, Person>()
  for (const person of people) {
    const key = emailKey(person.email)
    const first = byKey.get(key)
    // The earliest moment, and the name that was told first.
    if (!first || person.at < first.at) byKey.set(key, { ...person, name: person.name ?? first?.name ?? null })
    else if (first.name === null) byKey.set(key, { ...first, name: person.name })
  }
  const data = [...byKey].map(([key, { email, name, at }]) => {
    return { programId, id: mintId(at), email, emailKey: key, name, createdAt: at, updatedAt: at }
  })
  await tx.customer.createMany({ data, skipDuplicates: true })
  const where = { programId, emailKey: { in: [...byKey.keys()] } }
  const customers = await tx.customer.findMany({ where, select: { id: true, emailKey: true } })
  return new Map(customers.map(({ id, emailKey: key }) => [key, id]))
}
