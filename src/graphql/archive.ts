import type { ProgramCtx } from '../kernel/context.ts'
import { builder, publicOnly } from './builder.ts'
import { programScope } from './context.ts'
import { mutation, resourceMutation } from './mutation.ts'
import { capitalized, inWords } from './names.ts'

type Options<Row> = {
  effect: string
  /** What keeps a row from being deleted: "referrals or visits". */
  references: string
  archive: (ctx: ProgramCtx, id: string, isArchived: boolean) => Promise<void>
  find: (ctx: ProgramCtx, id: string, query: object) => Promise<Row>
  remove: (ctx: ProgramCtx, id: string) => Promise<string>
}

/** Defines the mutations that archive or unarchive a row, and delete a row that nothing refers to. */
export function archiveMutations<Row extends object>(
  resource: string,
  type: { name: string },
  { effect, references, archive, find, remove }: Options<Row>,
): void {
  const noun = inWords(type.name)
  const ids = { id: `The id of the ${noun}.` }
  const define = (name: string, isArchived: boolean, description: string) =>
    resourceMutation(name, resource, type, {
      description,
      ids,
      resolve: async (ctx, { id }, query) => {
        await archive(programScope(ctx), id, isArchived)
        return find(programScope(ctx), id, query())
      },
    })
  define(
    `archive${type.name}`,
    true,
    `Archives the ${noun}: ${effect} Lists leave it out. Idempotent; \`unarchive${type.name}\` reverses it.`,
  )
  define(`unarchive${type.name}`, false, `Unarchives the ${noun}: lists show it again. Idempotent.`)
  const name = `delete${type.name}`
  const payload = builder.objectRef<{ deletedId: string }>(`${capitalized(name)}Payload`).implement({
    description: `The result of \`${name}\`.`,
    subGraphs: publicOnly,
    fields: (t) => ({ deletedId: t.exposeID('deletedId', { description: `The id of the deleted ${noun}.` }) }),
  })
  mutation(name, payload, {
    description: `Deletes the ${noun}, as long as nothing refers to it: no ${references}. Otherwise REFUSED says what refers to it; archive it then.`,
    ids,
    resolve: async (ctx, { id }) => ({ deletedId: await remove(programScope(ctx), id) }),
  })
}
