import { withTransaction } from '../../database/client/transaction.ts'
import type { Person, SavedQuery } from '../../generated/prisma/client.ts'
import type { PersonActor, ProgramCtx } from '../../kernel/context.ts'
import { forbidden, invalid, notFound, refused } from '../../kernel/errors.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { deleteSavedQueryInput, saveQueryInput } from './input.ts'

/** The context of a person in a program. */
export type PersonCtx = ProgramCtx & { actor: PersonActor }

export type AuthoredQuery = SavedQuery & { person: Pick<Person, 'id' | 'name'> }

const mostQueries = 200
const mostOfPerson = 100

/** Adds the authors. A program's role of PostgreSQL does not join people: they are of the installation. */
async function withAuthors({ db }: PersonCtx, queries: SavedQuery[]): Promise<AuthoredQuery[]> {
  const ids = [...new Set(queries.map(({ personId }) => personId))]
  const people = await db.person.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } })
  const byId = new Map(people.map((person) => [person.id, person]))
  return queries.map((query) => ({ ...query, person: byId.get(query.personId) ?? { id: query.personId, name: '' } }))
}

/** The saved queries of the program, by name. */
export async function listSavedQueries(ctx: PersonCtx): Promise<AuthoredQuery[]> {
  const where = { programId: ctx.program.id }
  return withAuthors(ctx, await ctx.db.savedQuery.findMany({ where, orderBy: { name: 'asc' } }))
}

/** The id of the GraphQL type. That of a saved view has the id of a person in the second place. */
export const idOfQuery = ({ programId, name }: SavedQuery): string => `${programId}/query/${name}`

/** Null if the program has no query with the id. */
export async function findSavedQuery(ctx: PersonCtx, id: string): Promise<AuthoredQuery | null> {
  const [ofProgram, kind, ...name] = id.split('/')
  if (ofProgram !== ctx.program.id || kind !== 'query') return null
  const found = await ctx.db.savedQuery.findFirst({ where: { programId: ofProgram, name: name.join('/') } })
  return found && ((await withAuthors(ctx, [found]))[0] ?? null)
}

/** Whether the person may replace and delete a query: their own, and managers those of everybody. */
export const mayChange = ({ id, role, isOperator }: PersonActor, { personId }: Pick<SavedQuery, 'personId'>): boolean =>
  personId === id || isOperator || role === 'owner' || role === 'manager'

/**
 * Saves a query for everybody in the program, in place of an own one with the same name.
 * @throws INVALID_INPUT; REFUSED if the program or the person has too many, or the name is another person's
 */
export async function saveQuery(ctx: PersonCtx, raw: unknown): Promise<AuthoredQuery> {
  const { name, query, variables = '' } = await parseInput(saveQueryInput, raw)
  if (!isObject(variables)) throw invalid([problem('variables', 'must be a JSON object')])
  const [programId, now] = [ctx.program.id, ctx.now()]
  const saved = await withTransaction(ctx.db, async (tx) => {
    const others = await tx.savedQuery.findMany({ where: { programId }, select: { name: true, personId: true } })
    const same = others.find((other) => other.name === name)
    if (same && !mayChange(ctx.actor, same))
      throw refused('Somebody else has saved a query under this name. Choose another name.')
    if (!same && others.length >= mostQueries)
      throw refused(`A program can have ${mostQueries} saved queries. Delete one of them.`)
    const own = others.filter(({ personId }) => personId === ctx.actor.id).length
    if (!same && own >= mostOfPerson)
      throw refused(`A person can have ${mostOfPerson} saved queries in a program. Delete one of yours.`)
    return tx.savedQuery.upsert({
      where: { programId_name: { programId, name } },
      create: { programId, name, personId: ctx.actor.id, query, variables, createdAt: now, updatedAt: now },
      update: { query, variables, updatedAt: now },
    })
  })
  return (await withAuthors(ctx, [saved]))[0] as AuthoredQuery
}

/** @throws NOT_FOUND; FORBIDDEN if it is another person's, unless the person manages the program */
export async function deleteSavedQuery(ctx: PersonCtx, raw: unknown): Promise<AuthoredQuery[]> {
  const { name } = await parseInput(deleteSavedQueryInput, raw)
  const where = { programId: ctx.program.id, name }
  const query = await ctx.db.savedQuery.findFirst({ where })
  if (!query) throw notFound('Saved query', name)
  if (!mayChange(ctx.actor, query)) throw forbidden('Only its author and managers can delete a saved query.')
  await ctx.db.savedQuery.deleteMany({ where })
  return listSavedQueries(ctx)
}

function isObject(text: string): boolean {
  if (text === '') return true
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
