import { withTransaction, writeUnique } from '../../database/client/transaction.ts'
import type { Application, Prisma } from '../../generated/prisma/client.ts'
import { emailKey } from '../../kernel/email.ts'
import { notFound, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { placeIn } from '../../kernel/input/entries.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { languageOf } from '../../kernel/languages.ts'
import { portalUrl } from '../../kernel/public-url.ts'
import { excerpt } from '../../kernel/text.ts'
import { insertAffiliates } from '../affiliates/create.ts'
import { linkUrl } from '../affiliates/links/service.ts'
import { listAffiliateFields } from '../affiliates/own-fields/definitions.ts'
import { type Answers, agreeing } from '../affiliates/own-fields/values.ts'
import { recordChange } from '../history/record.ts'
import { composeMail, nameInMail } from '../mails/compose.ts'
import { queueMails } from '../mails/queue.ts'
import type { JoinCtx } from './apply.ts'
import { approveApplicationsInput, rejectApplicationsInput } from './input.ts'

type Tx = Prisma.TransactionClient

/** Makes affiliates of applications, and welcomes them. All or none. @throws INVALID_INPUT; NOT_FOUND; REFUSED */
export async function approveApplications(ctx: JoinCtx, raw: unknown): Promise<string[]> {
  const { ids, campaignId } = await parseInput(approveApplicationsInput, raw, async ({ campaignId: id }) => {
    if (id === undefined) return []
    const where = { programId: ctx.program.id, id, archivedAt: null }
    const known = isId(id) && (await ctx.db.campaign.count({ where })) > 0
    return known ? [] : [{ field: 'campaignId', message: 'Campaign not found, or archived.' }]
  })
  const decide = (tx: Tx) => decideAll(tx, ctx, ids, (one) => approve(tx, ctx, one, campaignId ?? null, null))
  // An affiliate with the same e-mail can be created at the same time.
  await writeUnique(
    async () => null,
    () => withTransaction(ctx.db, decide, { isLong: true }),
  )
  return ids
}

/** @throws INVALID_INPUT; NOT_FOUND; REFUSED if one was decided before */
export async function rejectApplications(ctx: JoinCtx, raw: unknown): Promise<string[]> {
  const { ids, reason = null, notify = true } = await parseInput(rejectApplicationsInput, raw)
  await withTransaction(ctx.db, (tx) => decideAll(tx, ctx, ids, (one) => reject(tx, ctx, one, reason, notify)), {
    isLong: true,
  })
  return ids
}

async function decideAll(
  tx: Tx,
  { program }: JoinCtx,
  ids: readonly string[],
  decide: (application: Application) => Promise<void>,
): Promise<void> {
  for (const id of [...new Set(ids)].sort()) {
    const application = isId(id) ? await lockApplication(tx, program.id, id) : null
    if (!application || !isSeen(application)) throw notFound('Application', id)
    if (application.state !== 'applied' && application.state !== 'suspected_spam')
      throw refused(`The application of ${excerpt(application.email)} is ${application.state} already.`)
    await decide(application)
  }
}

/** Nobody sees an application whose e-mail is not confirmed, unless it waits for a person to let it in. */
const isSeen = ({ confirmedAt, decidedAt, state }: Application) =>
  confirmedAt !== null || decidedAt !== null || state === 'suspected_spam'

export async function lockApplication(tx: Tx, programId: string, id: string): Promise<Application | null> {
  await tx.$queryRaw`
    select 1 from applications where program_id = ${programId}::uuid and id = ${id}::uuid for update`
  return tx.application.findUnique({ where: { programId_id: { programId, id } } })
}

/** Who is an affiliate already stays as they are. */
export async function approve(
  tx: Tx,
  ctx: JoinCtx,
  application: Application,
  campaignId: string | null,
  reason: string | null,
): Promise<void> {
  const { program } = ctx
  const programId = program.id
  const now = ctx.now()
  const { email, firstName, lastName, language } = application
  const where = { programId_emailKey: { programId, emailKey: emailKey(email) } }
  const known = await tx.affiliate.findUnique({ where })
  const wanted = campaignId ?? application.campaignId
  // The campaign of the application can have been archived meanwhile.
  const campaign = wanted && (await tx.campaign.findFirst({ where: { programId, id: wanted, archivedAt: null } }))
  const input = {
    email,
    firstName: firstName ?? undefined,
    lastName: lastName ?? undefined,
    language: languageOf(language ?? '') ?? undefined,
    campaignId: campaign ? campaign.id : undefined,
    ownFields: known ? undefined : agreeing(await listAffiliateFields(tx, ctx), application.fields as Answers),
  }
  const affiliate = known ?? (await insertAffiliates(tx, ctx, [input], now, placeIn()))[0]
  const affiliateId = affiliate?.id as string
  await store(tx, ctx, application, { state: 'approved', reason, affiliateId }, now)
  const link = await tx.affiliateLink.findFirst({
    where: { programId, affiliateId, archivedAt: null },
    include: { affiliate: { include: { campaign: true } } },
  })
  const values = {
    name: nameInMail(application),
    link: portalUrl(ctx.publicUrl, ctx.program, 'links'),
    affiliate_url: link ? linkUrl(link.affiliate.campaign.url, link.token) : '',
  }
  await queueMails(
    tx,
    ctx,
    [
      composeMail(
        program,
        'application_approved',
        { to: email, affiliateId, language: affiliate?.language ?? language },
        values,
      ),
    ],
    now,
  )
}

export async function reject(
  tx: Tx,
  ctx: JoinCtx,
  application: Application,
  reason: string | null,
  notify: boolean,
): Promise<void> {
  const now = ctx.now()
  await store(tx, ctx, application, { state: 'rejected', reason }, now)
  // What a program has sent is not answered: the address can be that of somebody else.
  if (!notify || application.state === 'suspected_spam') return
  const values = { name: nameInMail(application), reason: reason ?? '' }
  await queueMails(
    tx,
    ctx,
    [
      composeMail(
        ctx.program,
        'application_rejected',
        { to: application.email, language: application.language },
        values,
      ),
    ],
    now,
  )
}

async function store(
  tx: Tx,
  ctx: JoinCtx,
  application: Application,
  decision: Pick<Application, 'state' | 'reason'> & { affiliateId?: string },
  now: Date,
): Promise<void> {
  const { programId, id } = application
  const after = { ...application, ...decision, decidedAt: now }
  const data = { ...decision, decidedAt: now, updatedAt: now }
  await tx.application.update({ where: { programId_id: { programId, id } }, data })
  const action = decision.state === 'approved' ? 'approved' : 'rejected'
  await recordChange(tx, ctx, { subject: 'application', subjectId: id, action }, application, after, now)
}
