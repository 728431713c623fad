import fc from 'fast-check'
import { expect } from 'vitest'
import type { Affiliate, Commission, Model, Sale } from '../model.ts'
import { cents, command, currency, pick, position, refusedOr } from './command.ts'

/** Bonuses and corrections. A repeated external id returns the first commission. */
export const give = fc
  .tuple(position, fc.boolean(), cents, fc.boolean(), currency, fc.constantFrom(null, 'given_1', 'given_2'))
  .map(([at, isBonus, amount, isDeducted, code, externalId]) => {
    const amountCents = isDeducted ? -amount : amount
    const kind = isBonus ? 'BONUS' : 'CORRECTION'
    return command(
      `${kind} of ${amountCents} ${code} for ${at} ${externalId ?? ''}`,
      () => true,
      async (model, { program }) => {
        const affiliate = pick(model.affiliates, at)
        const input = { affiliateId: affiliate.id, kind, amountCents, currency: code, reason: 'Why', externalId }
        const answer = refusedOr(
          program.graphql(
            `mutation ($input: CreateCommissionInput!) { createCommission(input: $input) { commission { id kind } } }`,
            { input },
          ),
        )
        if (amountCents === 0 || (isBonus && amountCents < 0))
          return expect(answer).rejects.toThrow('Amount cents must')
        const known = model.given.find((one) => one.externalId !== null && one.externalId === externalId)
        const outcome = await answer
        if (known) return expect(outcome).toMatchObject({ createCommission: { commission: { id: known.id } } })
        if (isBonus && affiliate.state !== 'active') return expect(outcome).toBe('refused')
        const { id } = (outcome as any).createCommission.commission
        model.given.push({ id, externalId, isCorrection: !isBonus })
        model.commissions.push(commissionOf(model, affiliate, { id, amount: amountCents, currency: code }))
      },
    )
  })

/** In the model it is the commission of a sale that is in no list, and has nothing but its affiliate. */
function commissionOf(
  { now }: Model,
  affiliate: Affiliate,
  given: Pick<Commission, 'id' | 'amount' | 'currency'>,
): Commission {
  const noSale = { referral: { affiliate }, refunded: 0, refunds: [], log: [] as Sale['log'] } as unknown as Sale
  return {
    ...given,
    sale: noSale,
    refundId: null,
    rule: affiliate.campaign.rule,
    occurredAt: now,
    dueAt: now,
    isHeld: false,
    ended: null,
    isVoidByRefund: false,
    paidAt: null,
    isPaidOutsidePayout: false,
    sentIn: null,
  }
}
