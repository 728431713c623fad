import type { Prisma, Program } from '../../generated/prisma/client.ts'
import { composeMail, type NewMail } from './compose.ts'
import { oneLine } from './template.ts'

/** Mails to the owners and managers of a program, if applications wait that were confirmed in a time. */
export async function waitingMails(
  tx: Prisma.TransactionClient,
  { program, publicUrl }: { program: Program; publicUrl: string },
  from: Date,
  until: Date,
): Promise<NewMail[]> {
  const readers = await tx.$queryRaw<{ to: string; name: string; count: number }[]>`
    select p.email as "to", p.name, w.count
    from (
      select count(*)::int as count, bool_or(confirmed_at >= ${from}::timestamptz) as is_new from applications
      where program_id = ${program.id}::uuid and state = 'applied' and confirmed_at < ${until}::timestamptz
    ) w
      join members m on m.program_id = ${program.id}::uuid and m.role in ('owner', 'manager')
      join people p on p.id = m.person_id
    where w.is_new and not exists (
      select from join_settings where program_id = ${program.id}::uuid and not mails_managers)
    order by p.id`
  const link = `${publicUrl}/dashboard/${program.slug}/applications`
  return readers.map(({ to, name, count }) =>
    composeMail(program, 'applications_waiting', { to }, { name: oneLine(name), count: String(count), link }),
  )
}
