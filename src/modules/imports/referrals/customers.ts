import { emailKey } from '../../../kernel/email.ts'
import { mintId } from '../../../kernel/ids.ts'
import type { Batch } from '../batch.ts'

type Person = { email: string; name: string | null; at: Date }

/** Finds or creates customers, by e-mail key, before planning: only the insert decides a race with tracking. */
export async function upsertCustomers({ tx, ctx }: Batch, people: readonly Person[]): Promise<Map<string, string>> {
  if (people.length === 0) return new Map()
  const programId = ctx.program.id
  const byKey = mergePeople(people)
  const data = [...byKey].map(([key, { email, name, at }]) => {
    return { programId, id: mintId(at), email, emailKey: key, name, createdAt: at, updatedAt: at }
  })
  await tx.customer.createMany({ data, skipDuplicates: true })
  const where = { programId, emailKey: { in: [...byKey.keys()] } }
  const customers = await tx.customer.findMany({ where, select: { id: true, emailKey: true } })
  return new Map(customers.map(({ id, emailKey: key }) => [key, id]))
}

/** One person for each e-mail, with the earliest time and a name if any of them has one. */
function mergePeople(people: readonly Person[]): Map<string, Person> {
  const byKey = new Map<string, Person>()
  for (const person of people) {
    const key = emailKey(person.email)
    const first = byKey.get(key)
    if (!first || person.at < first.at) byKey.set(key, { ...person, name: person.name ?? first?.name ?? null })
    else if (first.name === null) byKey.set(key, { ...first, name: person.name })
  }
  return byKey
}
