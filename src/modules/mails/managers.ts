import type { Prisma, Program } from '../../generated/prisma/client.ts'
import type { MailKind } from '../../generated/prisma/enums.ts'
import { kinds } from './kinds/all.ts'
import { oneLine } from './template.ts'
import { isOfManagers, managerChoices, unsubscribeUrl } from './unsubscribe.ts'

/** What mails to the owners and managers of a program need. */
export type ManagerMail = { program: Program; publicUrl: string; key: Buffer }

type Manager = { to: string; name: string; unsubscribeUrl: string }

/** The owners and managers who want mails of a kind. Each can stop them by one click. */
export async function readManagers(
  tx: Prisma.TransactionClient,
  { program, publicUrl, key }: ManagerMail,
  kind: MailKind,
): Promise<Manager[]> {
  const { stop: what } = kinds[kind]
  if (what === null || !isOfManagers(what)) throw new Error(`Managers do not choose mails of the kind ${kind}.`)
  const members = await tx.member.findMany({
    where: {
      programId: program.id,
      role: { in: ['owner', 'manager'] },
      [managerChoices[what]]: true,
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
