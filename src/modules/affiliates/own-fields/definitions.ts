import { withTransaction } from '../../../database/client/transaction.ts'
import type { AffiliateField, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db.ts'
import { notFound, type Problem, refused } from '../../../kernel/errors.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { recordProgramChange } from '../../history/record.ts'
import { lockProgram } from '../../programs/lock.ts'
import { isBuiltIn } from '../csv-columns.ts'
import { createAffiliateFieldInput, deleteAffiliateFieldInput, mostFields, updateAffiliateFieldInput } from './input.ts'

type Tx = Prisma.TransactionClient
type Scope = { program: { id: string } }

/** The program's own fields of affiliates, in the order in which they were created. */
export const listAffiliateFields = (db: Db, { program }: Scope): Promise<AffiliateField[]> =>
  db.affiliateField.findMany({
    where: { programId: program.id },
    orderBy: { position: 'asc' },
  })

/** As `listAffiliateFields`, and keeps them from being changed or deleted until the transaction ends. */
export async function holdAffiliateFields(tx: Tx, scope: Scope): Promise<AffiliateField[]> {
  await tx.$queryRaw`
    select 1 from affiliate_fields where program_id = ${scope.program.id}::uuid order by name for share`
  return listAffiliateFields(tx, scope)
}

/** Defines a field. @throws INVALID_INPUT; REFUSED above the number of fields */
export async function createAffiliateField(ctx: ProgramCtx, raw: unknown): Promise<AffiliateField> {
  const {
    name,
    label,
    type = 'text',
    choices = [],
  } = await parseInput(createAffiliateFieldInput, raw, (readable) => [
    ...(readable.name !== undefined && isBuiltIn(readable.name)
      ? [problem('name', 'is the name of a field that every affiliate has')]
      : []),
    ...choiceProblems(readable.type ?? 'text', readable.choices),
  ])
  const programId = ctx.program.id
  return withTransaction(ctx.db, async (tx) => {
    await lockProgram(tx, ctx.program.id)
    const fields = await listAffiliateFields(tx, ctx)
    if (fields.some((field) => field.name === name))
      await parseInput(createAffiliateFieldInput, raw, () => [problem('name', 'is already the name of a field')])
    if (fields.length >= mostFields)
      throw refused(
        `A program can have at most ${mostFields} own fields of affiliates. Delete those that are not used.`,
      )
    const now = ctx.now()
    const position = (fields.at(-1)?.position ?? 0) + 1
    const row = { programId, name, label, type, choices, position, createdAt: now, updatedAt: now }
    const field = await tx.affiliateField.create({ data: row })
    await record(tx, ctx, null, field, now)
    return field
  })
}

/** Changes the label or the choices. @throws INVALID_INPUT; NOT_FOUND */
export async function updateAffiliateField(ctx: ProgramCtx, raw: unknown): Promise<AffiliateField> {
  const { name, label, choices } = await parseInput(updateAffiliateFieldInput, raw)
  return withTransaction(ctx.db, async (tx) => {
    await lockProgram(tx, ctx.program.id)
    const before = await findField(tx, ctx, name)
    if (choices) await parseInput(updateAffiliateFieldInput, raw, () => choiceProblems(before.type, choices))
    const now = ctx.now()
    const data = { ...(label && { label }), ...(choices && { choices }), updatedAt: now }
    const after = await tx.affiliateField.update({ where: keyOf(ctx, name), data })
    await record(tx, ctx, before, after, now)
    return after
  })
}

/** Deletes a field and its values. @returns its name @throws NOT_FOUND */
export async function deleteAffiliateField(ctx: ProgramCtx, raw: unknown): Promise<string> {
  const { name } = await parseInput(deleteAffiliateFieldInput, raw)
  const programId = ctx.program.id
  await withTransaction(
    ctx.db,
    async (tx) => {
      await lockProgram(tx, ctx.program.id)
      const before = await findField(tx, ctx, name)
      // This waits for those who write values. Who comes later finds no such field.
      await tx.affiliateField.delete({ where: keyOf(ctx, name) })
      await tx.$executeRaw`
        update affiliates set own_fields = own_fields - ${name}::text
        where program_id = ${programId}::uuid and own_fields ? ${name}::text`
      await record(tx, ctx, before, null, ctx.now())
    },
    { isLong: true },
  )
  return name
}

const keyOf = ({ program }: Scope, name: string) => ({ programId_name: { programId: program.id, name } })

async function findField(tx: Tx, ctx: ProgramCtx, name: string): Promise<AffiliateField> {
  const field = await tx.affiliateField.findUnique({ where: keyOf(ctx, name) })
  if (!field) throw notFound('Affiliate field', name)
  return field
}

function choiceProblems(type: AffiliateField['type'], choices: readonly string[] | undefined): Problem[] {
  if (type !== 'choice') return choices ? [problem('choices', 'are only for fields of the type CHOICE')] : []
  if (!choices) return [problem('choices', "can't be blank for the type CHOICE")]
  const keys = new Set(choices.map((one) => one.toLowerCase()))
  return keys.size < choices.length ? [problem('choices', 'have a value twice')] : []
}

/** The history of the program has the definition before and after. */
async function record(
  tx: Tx,
  ctx: ProgramCtx,
  before: AffiliateField | null,
  after: AffiliateField | null,
  now: Date,
): Promise<void> {
  const shown = (field: AffiliateField | null) =>
    field && { [field.name]: { label: field.label, type: field.type, choices: field.choices } }
  await recordProgramChange(tx, ctx, { affiliateField: shown(before) }, { affiliateField: shown(after) }, now)
}
