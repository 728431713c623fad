import { Prisma, type Program } from '../../generated/prisma/client.ts'
import { mailTexts } from '../../texts/texts.ts'
import { composeMail, mailLanguage, type NewMail } from './compose.ts'
import { troubled } from './feed-problems.ts'
import { type ManagerMail, readManagers } from './managers.ts'
import { failingEndpoint, openProposal, waits } from './what-waits.ts'

export type Waiting = 'applications' | 'held' | 'proposals' | 'payouts' | 'webhooks' | 'feeds'

type Counted = Record<Waiting, number> & { isNew: boolean }

/**
 * Whether something began to wait for a person of the program `p` between two times of SQL.
 * @param at when endpoints and feeds are looked at
 */
export function newlyWaiting(from: Prisma.Sql, until: Prisma.Sql, at: Date): Prisma.Sql {
  const within = (column: Prisma.Sql) => Prisma.sql`${column} >= ${from} and ${column} < ${until}`
  return Prisma.sql`(
  exists (select from applications a left join join_settings j on j.program_id = p.id
    where a.program_id = p.id and a.state = 'applied' and a.id >= least_id(${from} - interval '3 days')
      and ${within(Prisma.sql`a.confirmed_at`)} and coalesce(j.mails_managers, true))
  or exists (select from commissions where program_id = p.id and ${waits.held} and ${within(Prisma.sql`updated_at`)})
  or exists (select from proposals where program_id = p.id and ${openProposal(until)} and ${within(Prisma.sql`created_at`)})
  or exists (select from payouts where program_id = p.id and is_payable and ${within(Prisma.sql`due_noted_at`)})
  or exists (select from webhook_endpoints where program_id = p.id and ${failingEndpoint(at)}
    and ${within(Prisma.sql`coalesce(disabled_at, failing_since)`)})
  or exists (select from feeds f, ${troubled(at)} where f.program_id = p.id and ${within(Prisma.sql`troubled.at`)}))`
}

/** What waits for the managers of a program, each number with all that waits, not only the new. */
async function countWaiting(
  tx: Prisma.TransactionClient,
  programId: string,
  from: Date,
  until: Date,
): Promise<Counted | undefined> {
  const [since, end] = [Prisma.sql`${from}::timestamptz`, Prisma.sql`${until}::timestamptz`]
  const [row] = await tx.$queryRaw<Counted[]>`
    select ${newlyWaiting(since, end, until)} as "isNew",
      case when coalesce(j.mails_managers, true) then (select count(*)::int from applications
        where program_id = p.id and ${waits.applications}) else 0 end as applications,
      (select count(*)::int from commissions where program_id = p.id and ${waits.held}) as held,
      (select count(*)::int from proposals where program_id = p.id and ${openProposal(end)}) as proposals,
      (select count(*)::int from payouts where program_id = p.id and is_payable) as payouts,
      (select count(*)::int from webhook_endpoints where program_id = p.id and ${failingEndpoint(until)}) as webhooks,
      (select count(*)::int from feeds f, ${troubled(until)} where f.program_id = p.id) as feeds
    from programs p left join join_settings j on j.program_id = p.id where p.id = ${programId}::uuid`
  return row
}

/** The daily mail to owners and managers, if something new waits since the last one. It lists all that waits. */
export async function waitingMails(
  tx: Prisma.TransactionClient,
  scope: ManagerMail,
  from: Date,
  until: Date,
): Promise<NewMail[]> {
  const { program, publicUrl } = scope
  const counted = await countWaiting(tx, program.id, from, until)
  if (!counted?.isNew) return []
  const lines = mailTexts[mailLanguage(program)].waiting
  const waiting = (Object.keys(lines) as Waiting[]).filter((name) => counted[name] > 0)
  if (waiting.length === 0) return []
  const values = {
    list: waiting.map((name) => lines[name](String(counted[name]))).join('\n'),
    link: linkOf(publicUrl, program, waiting),
  }
  const managers = await readManagers(tx, scope, 'work_waiting')
  return managers.map(({ name, ...to }) => composeMail(program, 'work_waiting', to, { ...values, name }))
}

/** Where the only thing that waits is decided, else the start page. */
const linkOf = (publicUrl: string, { slug }: Program, [first, ...others]: readonly Waiting[]): string =>
  `${publicUrl}/dashboard/${slug}${first && others.length === 0 ? `/${pages[first]}` : ''}`

const pages: Record<Waiting, string> = {
  applications: 'applications',
  held: 'commissions?held=yes',
  proposals: 'proposals',
  payouts: 'payouts',
  webhooks: 'developers',
  feeds: 'developers',
}
