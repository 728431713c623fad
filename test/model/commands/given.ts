import fc from 'fast-check'
import { expect } from 'vitest'
import { cents, command, currency, pick, position, refusedOr } from './command.ts'
import { withoutSale } from './corrections.ts'

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
        model.commissions.push(withoutSale(model, affiliate, { id, amount: amountCents, currency: code }))
      },
    )
  })
