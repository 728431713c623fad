import { Prisma } from '../../generated/prisma/client.ts'
import { composeMail } from './compose.ts'
import { troubled } from './feed-problems.ts'
import { type ManagerMail, readManagers } from './managers.ts'
import { queueMails } from './queue.ts'
import { oneLine } from './template.ts'
import { failingEndpoint } from './what-waits.ts'

const dayMs = 86_400_000

/** Endpoints that fail, and those that were disabled since the last mail. */
const endpoints = (at: Date, last: Prisma.Sql): Prisma.Sql => Prisma.sql`
  select url as name from webhook_endpoints where program_id = p.id and ${failingEndpoint(at)}
    and (disabled_at is null or disabled_at > coalesce(${last}, '-infinity')) order by url`

/** Feeds with a problem that was seen since the last mail, such as rejected requests. */
const feeds = (at: Date, last: Prisma.Sql): Prisma.Sql => Prisma.sql`
  select f.name from feeds f, ${troubled(at)}
  where f.program_id = p.id and troubled.at > coalesce(${last}, '-infinity') order by f.name`

const mayTell = (last: Prisma.Sql, at: Date) =>
  Prisma.sql`coalesce(${last}, '-infinity') <= ${new Date(at.getTime() - dayMs)}::timestamptz`

const webhooksToldAt = Prisma.sql`n.webhooks_told_at`
const feedsToldAt = Prisma.sql`n.feeds_told_at`

/** Whether the managers of the program `p` with the marks `n` are to hear of failures now. */
export const hasFailures = (at: Date): Prisma.Sql => Prisma.sql`(
  ${mayTell(webhooksToldAt, at)} and exists (${endpoints(at, webhooksToldAt)})
  or ${mayTell(feedsToldAt, at)} and exists (${feeds(at, feedsToldAt)}))`

type Failing = { endpoints: string[]; feeds: string[] }

/** Mails to managers about failing webhooks and feeds, each at most once a day, and moves the marks. */
export async function writeFailures(tx: Prisma.TransactionClient, scope: ManagerMail, now: Date): Promise<void> {
  const { program, publicUrl } = scope
  const [failing] = await tx.$queryRaw<Failing[]>`
    select case when ${mayTell(webhooksToldAt, now)} then array(${endpoints(now, webhooksToldAt)}) else '{}' end as endpoints,
      case when ${mayTell(feedsToldAt, now)} then array(${feeds(now, feedsToldAt)}) else '{}' end as feeds
    from programs p join mail_notices n on n.program_id = p.id where p.id = ${program.id}::uuid`
  const names = [...(failing?.endpoints ?? []), ...(failing?.feeds ?? [])].map(oneLine)
  if (!failing || names.length === 0) return
  const data = {
    ...(failing.endpoints.length > 0 && { webhooksToldAt: now }),
    ...(failing.feeds.length > 0 && { feedsToldAt: now }),
  }
  await tx.mailNotices.update({ where: { programId: program.id }, data })
  const values = { list: names.join('\n'), link: `${publicUrl}/dashboard/${program.slug}/developers` }
  const managers = await readManagers(tx, scope, 'deliveries_failing')
  const mails = managers.map(({ name, ...to }) => composeMail(program, 'deliveries_failing', to, { ...values, name }))
  await queueMails(tx, { program }, mails, now)
}
