import type { Mail, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { findById } from '../../kernel/lookup.ts'

export const findMail = (ctx: ProgramCtx, id: string, query: Prisma.MailDefaultArgs = {}): Promise<Mail> =>
  findById('Mail', id, () =>
    ctx.db.mail.findUnique({ ...query, where: { programId_id: { programId: ctx.program.id, id } } }),
  )
