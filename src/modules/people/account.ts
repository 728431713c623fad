import { z } from 'zod'
import type { Person, Prisma } from '../../generated/prisma/client.ts'
import type { PersonActor } from '../../kernel/context.ts'
import { mintId } from '../../kernel/ids.ts'
import { email, required, text } from '../../kernel/input/fields.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { addressProblems, personAddress } from './address.ts'
import type { Auth } from './auth.ts'
import { passwordProblem } from './password.ts'

/** What a person enters to have an account. Blanks at the ends of a password belong to it. */
const accountInput = z.object({
  name: required(text()),
  email: required(email()),
  password: z.string({ error: "can't be blank" }),
})

export type NewAccount = z.output<typeof accountInput>

/** @throws INVALID_INPUT with every problem */
export async function parseAccount(raw: unknown): Promise<NewAccount> {
  const account = await parseInput(accountInput, raw, ({ name, email, password }) => {
    const weakness =
      password === undefined ? null : passwordProblem(password, { ...(name && { name }), ...(email && { email }) })
    return [...addressProblems('email', email), ...(weakness ? [problem('password', weakness)] : [])]
  })
  return { ...account, email: personAddress(account.email) }
}

/** Hashing takes a tenth of a second, so it is done before the transaction. */
export const hashPassword = async (auth: Auth, password: string): Promise<string> =>
  (await auth.$context).password.hash(password)

/** The actor of what a person does outside of any program. */
export const actorOf = ({ id, name, isOperator }: Person): PersonActor => ({
  kind: 'person',
  id,
  name,
  isOperator,
  role: null,
})

export async function insertPerson(
  tx: Prisma.TransactionClient,
  now: Date,
  { name, email, passwordHash, isOperator }: { name: string; email: string; passwordHash: string; isOperator: boolean },
): Promise<Person> {
  const times = { createdAt: now, updatedAt: now }
  const person = await tx.person.create({ data: { id: mintId(now), name, email, isOperator, ...times } })
  await tx.personAccount.create({
    data: {
      id: mintId(now),
      personId: person.id,
      ...times,
      providerId: 'credential',
      accountId: person.id,
      password: passwordHash,
    },
  })
  return person
}
