import type { Member } from '../../generated/prisma/client.ts'
import { refused } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { updateMyMailsInput } from './input.ts'
import type { OwnCtx } from './saved-views.ts'

export type OwnMails = Pick<Member, 'getsDailyMails' | 'getsFailureMails'>

/** Which mails of the program the person gets. Null for those who get none: analysts, and operators without a role. */
export async function readOwnMails({ db, program, personId }: OwnCtx): Promise<OwnMails | null> {
  const member = await db.member.findUnique({ where: { programId_personId: { programId: program.id, personId } } })
  return member && member.role !== 'analyst' ? member : null
}

/** @throws REFUSED for people who get no mails of the program */
export async function updateOwnMails(ctx: OwnCtx, raw: unknown): Promise<OwnMails> {
  const data = await parseInput(updateMyMailsInput, raw)
  if (!(await readOwnMails(ctx)))
    throw refused('Only owners and managers who are members of the program get its mails. You get none.')
  const where = { programId_personId: { programId: ctx.program.id, personId: ctx.personId } }
  return ctx.db.member.update({ where, data })
}
