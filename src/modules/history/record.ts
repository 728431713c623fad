import { insertRows } from '../../database/client/write.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { ChangeSubject } from '../../generated/prisma/enums.ts'
import type { Ctx } from '../../kernel/context.ts'
import { mintId } from '../../kernel/ids.ts'
import { inSlices } from '../../kernel/slices.ts'
import type { ChangeAction } from './actions.ts'
import { storedActor } from './actor.ts'
import { changedFields, type StoredFields } from './fields.ts'

/** The parts of a request's context that are recorded with a change, and with the events of it. */
export type Recorder = Pick<Ctx, 'actor' | 'requestId' | 'isSilent'> & { program: { id: string } }

/** `named` fields are recorded even if they do not differ: the token of the link that was archived. */
type Subject = { subject: ChangeSubject; subjectId: string; action: ChangeAction; named?: readonly string[] }
type RowChange = Subject & { before: object | null; after: object | null }

/**
 * Records the differences between two versions of a row, in the transaction of the change. No difference, no record.
 * Null: the row did not exist before, or does not exist any more.
 */
export const recordChange = (
  tx: Prisma.TransactionClient,
  ctx: Recorder,
  what: Subject,
  before: object | null,
  after: object | null,
  at: Date,
): Promise<void> => recordChanges(tx, ctx, [{ ...what, before, after }], at)

/** As `recordChange`, for what belongs to the program as a whole: its settings, texts, fields and assets. */
export const recordProgramChange = (
  tx: Prisma.TransactionClient,
  ctx: Recorder,
  before: object | null,
  after: object | null,
  at: Date,
): Promise<void> =>
  recordChange(tx, ctx, { subject: 'program', subjectId: ctx.program.id, action: 'updated' }, before, after, at)

/** As `recordChange`, also if no recorded field differs: a rotated secret, replayed events. */
export const recordAction = async (
  tx: Prisma.TransactionClient,
  ctx: Recorder,
  what: Subject,
  before: object | null,
  after: object | null,
  at: Date,
): Promise<void> => {
  const fields = changedFields(what.subject, before, after, what.named)
  await tx.change.create({ data: entryOf(ctx, what, fields, at) })
}

/** Records the changes of rows, a hundred in a statement. No statement if no recorded field differs. */
export async function recordChanges(
  tx: Prisma.TransactionClient,
  recorder: Recorder,
  changes: readonly RowChange[],
  at: Date,
): Promise<void> {
  await inSlices(changes, async (slice) => {
    await insertRows(tx, 'changes', entriesOf(recorder, slice, at))
    return []
  })
}

/** The rows that record changes. Those without a difference have none. */
export const entriesOf = (recorder: Recorder, changes: readonly RowChange[], at: Date) =>
  changes.flatMap((change) => {
    const fields = changedFields(change.subject, change.before, change.after, change.named)
    return Object.keys(fields).length === 0 ? [] : [entryOf(recorder, change, fields, at)]
  })

const entryOf = (
  { program, actor, requestId }: Recorder,
  { subject, subjectId, action }: Subject,
  fields: StoredFields,
  at: Date,
) => ({
  programId: program.id,
  id: mintId(at),
  subject,
  subjectId,
  action,
  fields,
  ...storedActor(actor),
  requestId,
  at,
})
