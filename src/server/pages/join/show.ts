import type { Program } from '../../../generated/prisma/client.ts'
import type { Incoming } from '../../../http/incoming.ts'
import type { TributaryError } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import type { JoinCtx } from '../../../modules/applications/apply.ts'
import { readJoinSettings, termsAt } from '../../../modules/applications/settings.ts'
import { dealOf } from './deal.ts'
import { headersOf } from './files.ts'
import { joinPage, sentPage } from './page.ts'
import { problemTexts, readerOf } from './reader.ts'

/** The form of a program. Null for a campaign that is not open. @param sent what was entered, and is wrong */
export async function showForm(incoming: Incoming, ctx: JoinCtx, sent?: { error: TributaryError; entered: object }) {
  const { db, program } = ctx
  const reader = readerOf(incoming, program.locale)
  const settings = await readJoinSettings(db, ctx)
  const search = new URLSearchParams(incoming.search)
  const given = search.get('campaign')
  const which = given !== null && isId(given) ? { id: given, private: false } : { isDefault: true }
  const campaign = await db.campaign.findFirst({ where: { programId: program.id, archivedAt: null, ...which } })
  if (!campaign) return null
  const fields = settings.fields.map(({ type = 'text', required = false, choices = [], ...field }) => ({
    ...field,
    type,
    required,
    choices,
  }))
  const content = {
    ...settings,
    fields,
    program: program.name,
    deal: dealOf(campaign, reader.locale, reader.words),
    terms: (await termsAt(db, ctx, ctx.now()))?.text ?? null,
    campaignId: campaign.isDefault ? null : campaign.id,
    problems: sent ? problemTexts(sent.error, reader, fields) : [],
    // An invitation has the e-mail in its link.
    entered: (sent?.entered ?? { email: search.get('email') ?? '' }) as Record<string, unknown>,
  }
  return { body: joinPage(program.slug, content, reader, incoming.search), headers: headersOf(settings.logoUrl) }
}

/** Asks the applicant to look into the mailbox. */
export const showSent = (incoming: Incoming, { name, locale }: Program): string =>
  sentPage(name, readerOf(incoming, locale))
