import fc from 'fast-check'
import { expect } from 'vitest'
import { type Affiliate, day, type Model, type Referral } from '../model.ts'
import { command, email, pick, position, refusedOr } from './command.ts'

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
      referral.leadAt ??= model.now
      referral.email ??= address
      expect(response.recordLead.referral.conversionState).toBe(referral.convertedAt === null ? 'LEAD' : 'CONVERSION')
    },
  ),
)
