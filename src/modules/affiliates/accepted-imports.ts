import type { AcceptedImport as Row } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { mintId } from '../../kernel/ids.ts'
import { storedActor } from '../history/actor.ts'

/** An import of affiliates that was checked, and is not finished yet. */
export type AcceptedImport = Omit<Row, 'input'> & {
  input: { csv: string; campaignId?: string | undefined; recordEvents?: boolean | undefined }
}

/** Notes an import before its first line is created: another process can finish it. Returns its id. */
export async function noteAccepted({ db, program, actor, requestId }: ProgramCtx, input: AcceptedImport['input']) {
  const acceptedAt = new Date()
  const id = mintId(acceptedAt)
  const data = { programId: program.id, id, input, ...storedActor(actor), requestId, acceptedAt }
  await db.acceptedImport.create({ data })
  return id
}

export async function forgetAccepted({ db, program }: Pick<ProgramCtx, 'db' | 'program'>, id: string): Promise<void> {
  await db.acceptedImport.deleteMany({ where: { programId: program.id, id } })
}
