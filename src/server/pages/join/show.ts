import type { Campaign, Program } from '../../../generated/prisma/client.ts'
import type { Incoming } from '../../../http/incoming.ts'
import type { TributaryError } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import type { JoinCtx } from '../../../modules/applications/apply.ts'
import { isInvitationFor } from '../../../modules/applications/referring.ts'
import { readJoinSettings, termsAt } from '../../../modules/applications/settings.ts'
import type { Brand } from '../../../modules/mails/template.ts'
import { readNewcomerReward } from '../../../modules/rules/reward.ts'
import { rewardTexts } from '../../../texts/texts.ts'
import { say, writerFor } from '../../../texts/writer.ts'
import { refusedFrame } from '../refused-frame.ts'
import { headersOf } from './files.ts'
import { joinPage, sentPage, unknownPage } from './page.ts'
import { problemTexts, type Reader, readerOf } from './reader.ts'

type Entered = Readonly<Record<string, unknown>>

/** The form, or a page without one if nobody can apply. @param sent what was entered, and is wrong */
export async function showForm(incoming: Incoming, ctx: JoinCtx, sent?: { error: TributaryError; entered: Entered }) {
  const { db, program } = ctx
  const reader = readerOf(incoming, program.locale)
  const settings = await readJoinSettings(db, ctx)
  const refusal = sent ? null : refusedFrame(incoming, program.name, settings.origins)
  if (refusal) return refusal
  const search = new URLSearchParams(incoming.search)
  // An invitation has the e-mail in its link.
  const entered: Entered = sent?.entered ?? {
    ...Object.fromEntries(['email', 'invitation', 'invited_by'].map((name) => [name, search.get(name) ?? ''])),
    campaign_id: search.get('campaign') ?? '',
  }
  const campaignId = typeof entered.campaign_id === 'string' && isId(entered.campaign_id) ? entered.campaign_id : null
  const invited = { programId: program.id, campaignId: campaignId ?? '', email: String(entered.email) }
  const openTo = isInvitationFor(ctx.key, invited, entered.invitation) ? {} : { private: false }
  const which = campaignId === null ? { isDefault: true } : { id: campaignId, ...openTo }
  const campaign = await db.campaign.findFirst({ where: { programId: program.id, archivedAt: null, ...which } })
  if (!campaign || program.closedAt) {
    const problem = program.closedAt ? reader.words.closed : reader.words.problems.campaign
    return { status: 404, body: unknownPage(problem, program.name, settings, reader), headers: headersOf(settings) }
  }
  const fields = settings.fields.map(({ type = 'text', isRequired = false, choices = [], ...field }) => ({
    ...field,
    type,
    required: isRequired,
    choices,
  }))
  const content = {
    ...settings,
    fields,
    program: program.name,
    deal: await dealOf(ctx, campaign, reader),
    terms: (await termsAt(db, ctx, ctx.now()))?.text ?? null,
    campaignId: campaign.isDefault ? null : campaign.id,
    problems: sent ? problemTexts(sent.error, reader, fields) : [],
    entered,
  }
  return { status: 200, body: joinPage(program.slug, content, reader, incoming.search), headers: headersOf(settings) }
}

/** What a newcomer earns, in sentences. */
async function dealOf(ctx: JoinCtx, campaign: Campaign, { language, locale }: Reader): Promise<string[]> {
  const writer = writerFor(locale, ctx.program.timeZone)
  return (await readNewcomerReward(ctx, campaign)).map((line) => say(rewardTexts[language], line, writer))
}

/** Asks the applicant to look into the mailbox. */
export const showSent = (incoming: Incoming, { name, locale }: Program, brand: Brand): string =>
  sentPage(name, brand, readerOf(incoming, locale))
