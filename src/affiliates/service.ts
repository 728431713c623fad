import type { z } from 'zod'
import { insertLink } from '../affiliate-links/service.ts'
import { tokenKey } from '../affiliate-links/tokens.ts'
import { recordChange } from '../changes/record.ts'
import type { Db, ProgramCtx } from '../context.ts'
import { emailKey } from '../customers/email.ts'
import { isUniqueViolation } from '../database/errors.ts'
import { withTransaction } from '../database/transaction.ts'
import { invalid, type Problem } from '../errors.ts'
import type { Affiliate, Prisma } from '../generated/prisma/client.ts'
import { isId, mintId } from '../ids.ts'
import { parseInput, problem } from '../input/parse.ts'
import { carries, type Page, readPage, updatedBetween } from '../pagination/page.ts'
import { findAffiliate } from './find.ts'
import { createAffiliateInput, listAffiliatesInput, updateAffiliateInput } from './input.ts'

const emailTaken = problem('email', 'has already been taken')
const campaignUnknown: Problem = { field: 'campaignId', message: 'Campaign not found.' }

/** Makes the affiliate and its first link. An affiliate made through the API is confirmed. */
export async function createAffiliate(ctx: ProgramCtx, raw: unknown): Promise<Affiliate> {
  const input = await parseInput(createAffiliateInput, raw, async (readable) => [
    ...(await referenceProblems(ctx, readable)),
    ...(readable.token && (await linkTokenTaken(ctx, readable.token)) ? [problem('token', 'is already in use.')] : []),
  ])
  const now = ctx.now()
  return takingEmail(() =>
    withTransaction(ctx.db, async (tx) => {
      const affiliate = await tx.affiliate.create({
        data: {
          programId: ctx.program.id,
          id: mintId(now),
          campaignId: input.campaignId ?? (await defaultCampaignId(tx, ctx.program.id)),
          email: input.email,
          emailKey: emailKey(input.email),
          firstName: input.firstName ?? null,
          lastName: input.lastName ?? null,
          walletAEmail: input.walletAEmail ?? null,
          walletBEmail: input.walletBEmail ?? null,
          billingCustomerId: input.billingCustomerId ?? null,
          state: 'active',
          confirmedAt: now,
          createdAt: now,
          updatedAt: now,
        },
      })
      const what = { subject: 'affiliate', subjectId: affiliate.id, action: 'created' } as const
      await recordChange(tx, ctx, what, null, affiliate, now)
      await insertLink(tx, ctx, affiliate, input.token, now)
      return affiliate
    }),
  )
}

/** Changes what is given; moving to another campaign changes no referral and no commission that exists. */
export async function updateAffiliate(ctx: ProgramCtx, id: string, raw: unknown): Promise<Affiliate> {
  await findAffiliate(ctx, id)
  const input = await parseInput(updateAffiliateInput, raw, (readable) => referenceProblems(ctx, readable, id))
  const programId = ctx.program.id
  return takingEmail(() =>
    withTransaction(ctx.db, async (tx) => {
      await tx.$queryRaw`select 1 from affiliates where program_id = ${programId}::uuid and id = ${id}::uuid for update`
      const where = { programId_id: { programId, id } }
      const before = await tx.affiliate.findUniqueOrThrow({ where })
      const now = ctx.now()
      const data = { ...input, ...(input.email ? { emailKey: emailKey(input.email) } : {}), updatedAt: now }
      const after = await tx.affiliate.update({ where, data })
      await recordChange(tx, ctx, { subject: 'affiliate', subjectId: id, action: 'updated' }, before, after, now)
      return after
    }),
  )
}

export async function listAffiliates(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.AffiliateDefaultArgs = {},
): Promise<Page<Affiliate>> {
  const input = await parseInput(listAffiliatesInput, raw)
  const where = affiliatesWhere(ctx, input)
  return readPage(
    input,
    () => ctx.db.affiliate.count({ where }),
    (window) => ctx.db.affiliate.findMany({ ...query, where, ...window }),
  )
}

/** The rows that a list's filters choose, for whatever reads them. */
export const affiliatesWhere = (
  ctx: ProgramCtx,
  input: z.output<typeof listAffiliatesInput>,
): Prisma.AffiliateWhereInput => ({
  programId: ctx.program.id,
  ...updatedBetween(input),
  state: input.state && { in: input.state },
  campaignId: carries(input.campaignId),
  emailKey: input.email && emailKey(input.email),
  billingCustomerId: input.billingCustomerId,
})

async function referenceProblems(
  ctx: ProgramCtx,
  input: { email?: string; campaignId?: string },
  ownId?: string,
): Promise<Problem[]> {
  const problems: Problem[] = []
  const programId = ctx.program.id
  if (input.email) {
    const key = { programId_emailKey: { programId, emailKey: emailKey(input.email) } }
    const holder = await ctx.db.affiliate.findUnique({ where: key, select: { id: true } })
    if (holder && holder.id !== ownId) problems.push(emailTaken)
  }
  if (input.campaignId) {
    const known =
      isId(input.campaignId) &&
      (await ctx.db.campaign.findUnique({
        where: { programId_id: { programId, id: input.campaignId } },
        select: { id: true },
      }))
    if (!known) problems.push(campaignUnknown)
  }
  return problems
}

async function linkTokenTaken(ctx: ProgramCtx, token: string): Promise<boolean> {
  const key = { programId_tokenKey: { programId: ctx.program.id, tokenKey: tokenKey(token) } }
  return (await ctx.db.affiliateLink.findUnique({ where: key, select: { id: true } })) !== null
}

async function defaultCampaignId(db: Db, programId: string): Promise<string> {
  const campaign = await db.campaign.findFirstOrThrow({ where: { programId, isDefault: true }, select: { id: true } })
  return campaign.id
}

/** Of two requests that take one e-mail at the same moment, the database lets one through; the other hears what it would have heard later. */
async function takingEmail<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error, 'email_key')) throw invalid([emailTaken])
    throw error
  }
}
