import type { Prisma, Program } from '../../generated/prisma/client.ts'
import { oneLine } from './template.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/** What mails to the owners and managers of a program need. */
export type ManagerMail = { program: Program; publicUrl: string; key: Buffer }

type Manager = { to: string; name: string; unsubscribeUrl: string }

/** The owners and managers who want mails of a kind. Each can stop them by one click. */
export async function readManagers(
  tx: Prisma.TransactionClient,
  { program, publicUrl, key }: ManagerMail,
  what: 'daily' | 'failures',
): Promise<Manager[]> {
  const members = await tx.member.findMany({
    where: {
      programId: program.id,
      role: { in: ['owner', 'manager'] },
      ...(what === 'daily' ? { dailyMails: true } : { failureMails: true }),
    },
    include: { person: true },
    orderBy: { personId: 'asc' },
  })
  return members.map(({ personId, person: { name, email } }) => ({
    to: email,
    name: oneLine(name),
    unsubscribeUrl: unsubscribeUrl(publicUrl, key, { programId: program.id, addresseeId: personId, what }),
  }))
}
