import type { Prisma } from '../../generated/prisma/client.ts'
import type { ChangeSubject } from '../../generated/prisma/enums.ts'
import type { Ctx } from '../../kernel/context.ts'
import { mintId } from '../../kernel/ids.ts'
import { storedActor } from './actor.ts'
import { changedFields } from './fields.ts'

/** What history has to know of a request. */
export type Recorder = Pick<Ctx, 'actor' | 'requestId'> & { program: { id: string } }

type Subject = { subject: ChangeSubject; subjectId: string; action: string }
type Changed = Subject & { before: object | null; after: object | null }

/**
 * Writes down what differs between two rows, by whom and in which request, in the transaction in which it changed.
 * Where nothing differs, nothing is written. Null stands for a row that is not there yet, or not any more.
 */
export const recordChange = (
  tx: Prisma.TransactionClient,
  ctx: Recorder,
  what: Subject,
  before: object | null,
  after: object | null,
  at: Date,
): Promise<void> => recordChanges(tx, ctx, [{ ...what, before, after }], at)

/** The same for many at once, in one statement; none where nothing differs. */
export async function recordChanges(
  tx: Prisma.TransactionClient,
  { program, actor, requestId }: Recorder,
  changes: readonly Changed[],
  at: Date,
): Promise<void> {
  const data = changes.flatMap(({ subject, subjectId, action, before, after }) => {
    const fields = changedFields(subject, before, after)
    if (Object.keys(fields).length === 0) return []
    return {
      programId: program.id,
      id: mintId(at),
      subject,
      subjectId,
      action,
      fields,
      ...storedActor(actor),
      requestId,
      at,
    }
  })
  if (data.length > 0) await tx.change.createMany({ data })
}
