import { withTransaction } from '../../database/client/transaction.ts'
import type { Affiliate } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { notFound, refused } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import type { Language } from '../../kernel/languages.ts'
import { writtenAmount } from '../../kernel/money/written-amount.ts'
import { portalUrl } from '../../kernel/public-url.ts'
import type { FlatRate } from '../../texts/en/reward.ts'
import { mailTexts, rewardNewsTexts, rewardTexts } from '../../texts/texts.ts'
import { say, writerFor } from '../../texts/writer.ts'
import { findAffiliate } from '../affiliates/find.ts'
import { linkUrl } from '../affiliates/links/service.ts'
import { composeMail, mailLocale, type NewMail, nameInMail, readBrand, writeMail } from './compose.ts'
import { checkText, readMailText } from './edit-texts.ts'
import { previewMailInput } from './input.ts'
import { kinds } from './kinds/all.ts'
import type { Example } from './kinds/kind.ts'
import { mayMail, queueMails } from './queue.ts'
import { writtenDate, writtenMonth, writtenTime } from './template-values.ts'

export type PreviewedMail = { subject: string; text: string; html: string }
type PreviewCtx = ProgramCtx & { publicUrl: string }

/** A person can send so many tests within an hour. */
const mostPerHour = 30

/** Shows a mail with the data of an affiliate, and with texts that are not saved. @throws INVALID_INPUT */
export async function previewMail(ctx: PreviewCtx, raw: unknown): Promise<PreviewedMail> {
  const { mail, written } = await exampleMail(ctx, raw)
  return writeMail(ctx.program, mail, await readBrand(ctx.db, ctx.program), written)
}

/**
 * Sends a mail with the data of an affiliate to the person who asks for it.
 * @returns the id of the mail
 * @throws INVALID_INPUT; REFUSED for an API key, and for many mails
 */
export async function sendTestMail(ctx: PreviewCtx, raw: unknown): Promise<string> {
  return sendToSelf(ctx, async () => {
    const { mail, written } = await exampleMail(ctx, raw)
    return { ...mail, written }
  })
}

/**
 * Sends a mail as a test to the signed-in person. @returns the id of the mail
 * @throws REFUSED for an API key, and for many mails
 */
export async function sendToSelf(ctx: ProgramCtx, compose: () => Promise<NewMail>): Promise<string> {
  const { actor, program } = ctx
  if (actor.kind !== 'person')
    throw refused('A test goes to the person who asks for it. Sign in to the dashboard as a person.')
  const mail = await compose()
  const now = ctx.now()
  const person = await ctx.db.person.findUnique({ where: { id: actor.id }, select: { email: true } })
  if (!person) throw notFound('Person', actor.id)
  return withTransaction(ctx.db, async (tx) => {
    if (!(await mayMail(tx, ctx, { kind: 'test', toKey: emailKey(person.email), most: mostPerHour }, now)))
      throw refused(`You have sent yourself ${mostPerHour} tests within an hour. Try again later.`)
    if (program.isShadow) throw refused('A shadow sends no mails.')
    const test: NewMail = { ...mail, as: 'test', to: person.email, affiliateId: null, unsubscribeUrl: null }
    const [id] = await queueMails(tx, ctx, [test], now)
    return id as string
  })
}

async function exampleMail(ctx: PreviewCtx, raw: unknown) {
  const input = await parseInput(previewMailInput, raw, checkText)
  const { kind, language } = input
  const present = await readMailText(ctx, kind, language)
  const { subject = present.subject, text = present.text, button = present.button } = input
  const affiliate = await findExample(ctx, input.affiliateId)
  const values = kinds[kind].examples(await exampleOf(ctx, language, affiliate))
  return { mail: composeMail(ctx.program, kind, { to: '', language }, values), written: { subject, text, button } }
}

/** By default the newest active affiliate. @throws NOT_FOUND */
function findExample(ctx: ProgramCtx, id: string | undefined): Promise<Affiliate | null> {
  const where = { programId: ctx.program.id, state: 'active' } as const
  return id === undefined ? ctx.db.affiliate.findFirst({ where, orderBy: { id: 'desc' } }) : findAffiliate(ctx, id)
}

/** Real data as far as there is any. Links sign nobody in. */
async function exampleOf(
  { db, program, publicUrl, now }: PreviewCtx,
  language: Language,
  affiliate: Affiliate | null,
): Promise<Example> {
  const programId = program.id
  const locale = mailLocale(program, language)
  const of = { programId, affiliateId: affiliate?.id ?? '00000000-0000-0000-0000-000000000000' }
  const commission = await db.commission.findFirst({ where: of, orderBy: { id: 'desc' } })
  const link = await db.affiliateLink.findFirst({
    where: { ...of, archivedAt: null },
    include: { affiliate: { include: { campaign: true } } },
  })
  const writer = writerFor(locale, program.timeZone)
  const changed = { at: now(), rate: { basisPoints: 3_500 }, old: { basisPoints: 2_000 } }
  const rewardOf = (flat: FlatRate) =>
    say(rewardTexts[language], { code: 'earn', rate: { flat }, months: null } as const, writer)
  const amount = commission?.amountCents ?? 12_345n
  return {
    texts: mailTexts[language],
    name: affiliate ? nameInMail(affiliate) : 'Ada',
    amount: writtenAmount(amount < 0n ? -amount : amount, commission?.currency ?? program.currency, locale),
    link: portalUrl(publicUrl, program),
    affiliateUrl: link ? linkUrl(link.affiliate.campaign.url, link.token) : `${program.url}?via=ada`,
    day: writtenDate(now(), program, locale),
    time: writtenTime(now(), program, locale),
    month: writtenMonth(now().toISOString().slice(0, 7), locale),
    news: {
      change: say(rewardNewsTexts[language], { code: 'rate', ...changed } as const, writer),
      reward: rewardOf(changed.rate),
      before: mailTexts[language].rewardBefore(rewardOf(changed.old)),
    },
  }
}
