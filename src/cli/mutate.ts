import { OperatorError } from '../database/operator-error.ts'
import { isId, ownCase } from '../kernel/ids.ts'
import { operate } from './operate.ts'

/** How many programs an error names. */
const mostNamed = 20

/** Runs a mutation, and returns these fields of its payload. @param program whose rows the mutation is about */
export async function mutate<T>(mutation: string, fields: string, input: object, program?: string): Promise<T> {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`
  const query = `mutation ($input: ${type}!) { payload: ${mutation}(input: $input) { ${fields} } }`
  return (await operate<{ payload: T }>(query, { input }, program)).payload
}

/** The id of a program that is given by its id or its slug. A slug is looked up on the server. */
export async function programIdOf(idOrSlug: string): Promise<string> {
  const id = ownCase(idOrSlug.trim())
  return isId(id) ? id : (await findProgram(idOrSlug)).id
}

export async function findProgram(idOrSlug: string): Promise<{ id: string; slug: string; name: string }> {
  const query = '{ program { id slug name } }'
  const { program } = await operate<{ program: { id: string; slug: string; name: string } }>(query, {}, idOrSlug)
  return program
}

/** The slug of the only program of the installation. @throws OperatorError if there are others, or none */
export async function onlyProgram(): Promise<string> {
  const { programs } = await operate<{ programs: { slug: string }[] }>('{ programs { slug } }')
  const [only, another] = programs
  if (!only) throw new OperatorError('There is no program yet. Create one: npx tributary create-program')
  if (another) {
    const slugs = programs.map(({ slug }) => slug).slice(0, mostNamed)
    throw new OperatorError(`There are ${programs.length} programs. Add --program with one of: ${slugs.join(', ')}`)
  }
  return only.slug
}
