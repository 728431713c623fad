import { withTransaction } from '../../database/client/transaction.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'
import { refused } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { inSlices } from '../../kernel/slices.ts'
import { toRule, type Where } from '../../listing/where.ts'
import { mailTexts } from '../../texts/texts.ts'
import { linkUrl } from '../affiliates/links/service.ts'
import { affiliateListing } from '../affiliates/listing.ts'
import { recordChanges } from '../history/record.ts'
import { mailLanguage, mailLocale, type NewMail, readBrand, writeMail } from './compose.ts'
import { variableProblems } from './edit-texts.ts'
import { messageVariables, previewMailToAffiliatesInput, sendMailToAffiliatesInput } from './input.ts'
import { type PreviewedMail, sendToSelf } from './preview.ts'
import { queueMails } from './queue.ts'
import { writtenSum } from './template-values.ts'
import { type Addressee, mailToAffiliate } from './to-affiliate.ts'

/** A program can write to affiliates so often within an hour, and to so many at once. */
const mostPerHour = 20
const mostRecipients = 10_000

type MessageCtx = ProgramCtx & { publicUrl: string; mailKey: Buffer }
type Message = { subject: string; text: string }

/**
 * Writes a mail to the active affiliates of a filter, each with their own values and in the history of each. Those who
 * want no messages get none. A dry run only counts.
 * @returns how many affiliates get it
 * @throws INVALID_INPUT, also for an unknown variable; REFUSED for many mails, many recipients, and in a shadow
 */
export async function sendMailToAffiliates(ctx: MessageCtx, raw: unknown): Promise<number> {
  const { dryRun = false, where, ...message } = await parseInput(sendMailToAffiliatesInput, raw, checkMessage)
  const { program } = ctx
  if (program.isShadow) throw refused('A shadow sends no mails.')
  const rule = recipientsRule(ctx, where)
  if (dryRun) return ctx.db.affiliate.count({ where: rule })
  const now = ctx.now()
  return withTransaction(ctx.db, async (tx) => {
    await rejectMany(tx, ctx, now)
    const affiliates = await tx.affiliate.findMany({ where: rule, select: columns, take: mostRecipients + 1 })
    if (affiliates.length > mostRecipients)
      throw refused(`A mail can go to ${mostRecipients} affiliates at once. Choose fewer.`)
    await inSlices(affiliates, async (slice) => {
      const mails = await messagesTo(tx, ctx, slice, message)
      await queueMails(tx, ctx, mails, now)
      const changes = mails.map(({ affiliateId, values }) => {
        const after = { mailSubject: filled(message.subject, values) }
        return {
          subject: 'affiliate',
          subjectId: affiliateId as string,
          action: 'mailed',
          before: null,
          after,
        } as const
      })
      await recordChanges(tx, ctx, changes, now)
      return []
    })
    return affiliates.length
  })
}

/** Shows the mail as the first of the affiliates would get it. @throws INVALID_INPUT; NOT_FOUND without an affiliate */
export async function previewMailToAffiliates(ctx: MessageCtx, raw: unknown): Promise<PreviewedMail> {
  const mail = await exampleOf(ctx, raw)
  return writeMail(ctx.program, mail, await readBrand(ctx.db, ctx.program), mail.written)
}

/** Sends the mail to the signed-in person, with the values of the first affiliate. @returns the id of the mail */
export const sendTestOfMail = (ctx: MessageCtx, raw: unknown): Promise<string> =>
  sendToSelf(ctx, () => exampleOf(ctx, raw))

const checkMessage = ({ subject, text }: Partial<Message>) =>
  variableProblems(messageVariables, { ...(subject !== undefined && { subject }), ...(text !== undefined && { text }) })

async function exampleOf(ctx: MessageCtx, raw: unknown): Promise<NewMail> {
  const { where, ...message } = await parseInput(previewMailToAffiliatesInput, raw, checkMessage)
  const rule = recipientsRule(ctx, where)
  const first = await ctx.db.affiliate.findFirst({ where: rule, select: columns, orderBy: { id: 'desc' } })
  const [mail] = first ? await messagesTo(ctx.db, ctx, [first], message) : []
  if (!mail) throw refused('No active affiliate matches, so there is nobody to write to.')
  return mail
}

const columns = {
  id: true,
  email: true,
  firstName: true,
  language: true,
  campaign: { select: { url: true } },
  links: { where: { archivedAt: null }, select: { token: true }, orderBy: { id: 'asc' }, take: 1 },
  coupons: { where: { archivedAt: null }, select: { token: true }, orderBy: { id: 'asc' }, take: 1 },
} as const satisfies Prisma.AffiliateSelect

type Recipient = Prisma.AffiliateGetPayload<{ select: typeof columns }>

const recipientsRule = (ctx: ProgramCtx, where: Where | null | undefined): Prisma.AffiliateWhereInput => ({
  AND: [
    { programId: ctx.program.id, state: 'active', NOT: { mailChoices: { is: { getsMessageMails: false } } } },
    toRule(affiliateListing, where, { now: ctx.now() }),
  ],
})

async function messagesTo(
  db: Db,
  { program, publicUrl, mailKey: key, now }: MessageCtx,
  recipients: readonly Recipient[],
  written: Message,
): Promise<NewMail[]> {
  const due = await dueOf(db, program.id, recipients, now())
  return recipients.map((recipient) => {
    const { id, email, firstName, language: own, campaign, links, coupons } = recipient
    const language = mailLanguage(program, own)
    const row: Addressee = { affiliateId: id, email, firstName, language: own }
    const values = {
      affiliate_url: links[0] ? linkUrl(campaign.url, links[0].token) : '',
      coupon: coupons[0]?.token ?? '',
      due: writtenSum(due.get(id) ?? [], program, mailLocale(program, language)),
      program: program.name,
    }
    const { button } = mailTexts[language].mails.monthly_statement
    const mail = mailToAffiliate({ program, publicUrl, key }, 'monthly_statement', row, values, 'message')
    return { ...mail, written: { ...written, button } }
  })
}

type Sum = { affiliateId: string; currency: string; cents: bigint }

/** What is due to each: commissions that a payout would pay now. */
async function dueOf(db: Db, programId: string, recipients: readonly Recipient[], now: Date) {
  const ids = recipients.map(({ id }) => id)
  const rows = await db.$queryRaw<Sum[]>`
    select affiliate_id::text as "affiliateId", currency, sum(amount_cents)::bigint as cents from commissions
    where program_id = ${programId}::uuid and affiliate_id = any (${ids}::uuid[]) and voided_at is null
      and held_reason is null and paid_at is null and due_at <= ${now}
    group by affiliate_id, currency`
  const sums = new Map<string, Sum[]>()
  for (const row of rows) sums.set(row.affiliateId, [...(sums.get(row.affiliateId) ?? []), row])
  return sums
}

const filled = (subject: string, values: Readonly<Record<string, string>>) =>
  subject.replace(/\{\{\s*([a-z_]+)\s*\}\}/g, (_, name: string) => values[name] ?? '')

/** A sending has one time, so that its mails are one. */
async function rejectMany(tx: Prisma.TransactionClient, { program }: ProgramCtx, now: Date): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`messages ${program.id}`}, 0))`
  const since = new Date(now.getTime() - 3_600_000)
  const [row] = await tx.$queryRaw<{ count: bigint }[]>`
    select count(distinct created_at) as count from mails
    where program_id = ${program.id}::uuid and kind = 'message' and id >= least_id(${since}::timestamptz)`
  if (row && row.count >= BigInt(mostPerHour))
    throw refused(`The program has written ${mostPerHour} mails to affiliates within an hour. Try again later.`)
}
