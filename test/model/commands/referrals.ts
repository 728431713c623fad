import fc from 'fast-check'
import { expect } from 'vitest'
import type { TestProgram } from '../../support/app.ts'
import { type Affiliate, day, type Model, type Referral } from '../model.ts'
import { command, email, pick, position, refusedOr } from './command.ts'
import { withoutSale } from './corrections.ts'

export const visit = fc.tuple(position).map(([at]) =>
  command(
    `visit ${at}`,
    () => true,
    async (model, { program }) => {
      const affiliate = pick(model.affiliates, at)
      const response = await refusedOr(
        program.graphql(
          'mutation ($token: String!) { recordVisit(input: { token: $token }) { referral { id expiresAt } } }',
          {
            token: affiliate.token,
          },
        ),
      )
      if (affiliate.state !== 'active') return expect(response).toBe('refused')
      addReferral(model, affiliate, response.recordVisit.referral.id, null)
      expect(Date.parse(response.recordVisit.referral.expiresAt)).toBe(model.referrals.at(-1)?.expiresAt)
    },
  ),
)

export function addReferral(
  model: Model,
  affiliate: Affiliate,
  id: string,
  couponEmail: string | null | undefined,
): Referral {
  const { campaign } = affiliate
  const expiresAt = model.now + campaign.rule.daysBeforeExpiry * day
  const byLink = couponEmail === null
  const knownEmail = byLink ? null : (couponEmail ?? null)
  const createdAt = model.now
  const [leadAt, convertedAt] = [null, null]
  const referral = { id, affiliate, campaign, byLink, createdAt, email: knownEmail, leadAt, convertedAt, expiresAt }
  model.referrals.push(referral)
  return referral
}

export const lead = fc.tuple(position, email).map(([at, address]) =>
  command(
    `lead ${at} ${address}`,
    (model) => model.referrals.length > 0,
    async (model, { program }) => {
      const referral = pick(model.referrals, at)
      const response = await refusedOr(
        program.graphql(
          'mutation ($input: RecordLeadInput!) { recordLead(input: $input) { referral { conversionState } } }',
          { input: { referralId: referral.id, email: address } },
        ),
      )
      const isTooLate = referral.leadAt === null && referral.expiresAt <= model.now
      if (referral.affiliate.state !== 'active' || isTooLate) return expect(response).toBe('refused')
      const isFirst = referral.leadAt === null && referral.convertedAt === null
      referral.leadAt ??= model.now
      referral.email ??= address
      await rewardLead(model, program, referral, isFirst)
      expect(response.recordLead.referral.conversionState).toBe(referral.convertedAt === null ? 'LEAD' : 'CONVERSION')
    },
  ),
)

/** A lead is rewarded once per affiliate and customer, if a deal says so. */
async function rewardLead(
  model: Model,
  program: TestProgram,
  { affiliate, campaign, email: address }: Referral,
  isFirst: boolean,
) {
  const deal = model.leadDealOf(affiliate, campaign)
  const isKnown = model.leads.some((one) => one.affiliate === affiliate && one.email === address)
  const { commissions } = await program.graphql(
    '{ commissions(first: 100, where: { kind: { equals: LEAD } }) { nodes { id amountCents currency dueAt affiliate { id } } } }',
  )
  const made = commissions.nodes.filter(({ id }: { id: string }) => !model.leads.some((one) => one.id === id))
  if (!isFirst || isKnown || !deal) return expect(made).toEqual([])
  const dueAt = model.now + campaign.rule.daysBeforeDue * day
  const [{ id }] = made
  const expected = { amountCents: deal.leadAmount, currency: 'usd', dueAt: new Date(dueAt).toISOString() }
  expect(made).toEqual([{ id, ...expected, affiliate: { id: affiliate.id } }])
  model.leads.push({ id, affiliate, email: address as string })
  model.commissions.push(
    withoutSale(model, affiliate, { id, amount: deal.leadAmount as number, currency: 'usd', dueAt }),
  )
}
