import type { ProgramCtx } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'

/** The names of those who proposed. @param keys each a kind of actor and its id, with a space between */
export async function proposersOf({ db, program }: ProgramCtx, keys: readonly string[]): Promise<string[]> {
  const idsOf = (kind: string) =>
    keys.flatMap((key) => (key.startsWith(`${kind} `) ? [key.slice(kind.length + 1)] : []))
  const [apiKeys, people] = await Promise.all([
    db.apiKey.findMany({ where: { programId: program.id, id: { in: idsOf('api_key').filter(isId) } } }),
    db.person.findMany({ where: { id: { in: idsOf('person').filter(isId) } }, select: { id: true, name: true } }),
  ])
  const names = new Map([...apiKeys, ...people].map(({ id, name }) => [id, name]))
  return keys.map((key) => {
    const [kind, id = ''] = key.split(' ')
    const name = names.get(id)
    if (kind === 'api_key') return name === undefined ? 'API key' : `API key ${name}`
    return name ?? (kind === 'operator' ? 'Operator' : 'A person who has no account any more')
  })
}
