import { withTransaction } from '../../database/client/transaction.ts'
import type { SavedView } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { notFound, refused } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { deleteSavedViewInput, savedViewLists, saveViewInput } from './input.ts'

/** The context of what a person keeps for themselves in a program. */
export type OwnCtx = ProgramCtx & { personId: string }

const mostViews = 50

export const listSavedViews = ({ db, program, personId }: OwnCtx, list: SavedView['list']): Promise<SavedView[]> =>
  db.savedView.findMany({
    where: { programId: program.id, personId, list },
    orderBy: [{ createdAt: 'asc' }, { name: 'asc' }],
  })

/** The own view with the id of the GraphQL type: `programId/personId/list/name`. Null if the person has none. */
export async function findSavedView({ db, program, personId }: OwnCtx, id: string): Promise<SavedView | null> {
  const [ofProgram, ofPerson, list, ...name] = id.split('/')
  if (ofProgram !== program.id || ofPerson !== personId) return null
  return db.savedView.findFirst({
    where: {
      programId: ofProgram,
      personId,
      name: name.join('/'),
      list: { in: savedViewLists.filter((one) => one === list) },
    },
  })
}

/** Saves a view, in place of the own one with the same name. @throws INVALID_INPUT; REFUSED if there are too many */
export async function saveView(ctx: OwnCtx, raw: unknown): Promise<SavedView> {
  const { list, name, query } = await parseInput(saveViewInput, raw)
  const own = { programId: ctx.program.id, personId: ctx.personId, list }
  return withTransaction(ctx.db, async (tx) => {
    const others = await tx.savedView.count({ where: { ...own, name: { not: name } } })
    if (others >= mostViews) throw refused(`A list can have ${mostViews} saved views. Delete one of them.`)
    return tx.savedView.upsert({
      where: { programId_personId_list_name: { ...own, name } },
      create: { ...own, name, query, createdAt: ctx.now() },
      update: { query },
    })
  })
}

/** @throws NOT_FOUND */
export async function deleteSavedView(ctx: OwnCtx, raw: unknown): Promise<SavedView[]> {
  const { list, name } = await parseInput(deleteSavedViewInput, raw)
  const where = { programId: ctx.program.id, personId: ctx.personId, list, name }
  const { count } = await ctx.db.savedView.deleteMany({ where })
  if (count === 0) throw notFound('Saved view', name)
  return listSavedViews(ctx, list)
}
