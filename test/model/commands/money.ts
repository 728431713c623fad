import fc from 'fast-check'
import { expect } from 'vitest'
import type { TestProgram } from '../../support/app.ts'
import { type Affiliate, commissionAmount, type Model, type Sale, sum } from '../model.ts'
import { cents, command, pick, position, refusedOr, snake, viaGraphQL } from './command.ts'

export const refund = fc
  .tuple(position, fc.option(cents), fc.constantFrom(null, 're_1', 're_2', 're_3', 're_4'), viaGraphQL)
  .map(([at, amount, externalId, overGraphQL]) =>
    command(
      `refund ${at} ${amount ?? 'all'} ${externalId ?? ''}`,
      (model) => model.sales.length > 0,
      async (model, { program }) => {
        const sale = pick(model.sales, at)
        const input = {
          externalId: sale.externalId,
          ...(amount !== null && { amountCents: amount }),
          ...(externalId !== null && { refundExternalId: externalId }),
        }
        const response = overGraphQL
          ? await refundOverGraphQL(program, input)
          : await program.post('/conversions/refund', snake(input)).then(({ status, body }) => ({ status, body }))
        const duplicates =
          externalId === null
            ? []
            : model.sales.flatMap(({ refunds }) => refunds.filter((one) => one.externalId === externalId))
        const open = sale.amount - sale.refunded
        const isValidAmount = amount === null || amount > 0
        const isOfAnotherSale = duplicates.length > 0 && !sale.refunds.includes(duplicates[0] as never)
        if (!isValidAmount || isOfAnotherSale) return expect(response.status).toBe(422)
        if (duplicates[0]) {
          expect(response).toMatchObject({
            status: 200,
            body: { duplicate: true, id: duplicates[0].id, amount_cents: duplicates[0].amount },
          })
          return
        }
        if (open === 0 || (amount ?? open) > open) return expect(response.status).toBe(422)
        expect(response).toMatchObject({ status: 201, body: { duplicate: false, amount_cents: amount ?? open } })
        applyRefund(
          model,
          sale,
          { id: response.body.id, externalId, amount: amount ?? open },
          response.body.negative_commission,
        )
      },
    ),
  )

async function refundOverGraphQL(program: TestProgram, input: object) {
  const response = await program
    .graphql(
      `mutation ($input: RefundSaleInput!) {
        refundSale(input: $input) { refund { id } duplicate amountCents negativeCommission { id amountCents } }
      }`,
      { input },
    )
    .catch((error) => {
      expect(['REFUSED', 'INVALID_INPUT']).toContain(error.errors?.[0]?.extensions?.code)
      return null
    })
  if (response === null) return { status: 422, body: null as any }
  const { refund, duplicate, amountCents, negativeCommission: debt } = response.refundSale
  const negative = debt && { id: debt.id, amount: debt.amountCents }
  return {
    status: duplicate ? 200 : 201,
    body: { id: refund.id, duplicate, amount_cents: amountCents, negative_commission: negative },
  }
}

function applyRefund(
  model: Model,
  sale: Sale,
  refund: Sale['refunds'][number],
  debt: { id: string; amount: number } | null,
): void {
  sale.refunded += refund.amount
  sale.refunds.push(refund)
  const remaining = sale.amount - sale.refunded
  const commissions = model.commissions.filter((one) => one.sale === sale)
  const earned = commissions.find(({ refundId }) => refundId === null)
  const target = earned && remaining > 0 ? commissionAmount(earned.rule, remaining) : 0
  const reduction = Math.max(sum(commissions) - target, 0)
  if (earned?.ended !== 'paid') expect(debt).toBeNull()
  if (!earned || earned.ended === 'void') return
  if (earned.ended === null) {
    if (remaining === 0) earned.ended = 'void'
    else earned.amount -= reduction
    return
  }
  expect(debt?.amount ?? 0).toBe(-reduction + 0)
  if (!debt) return
  const { now } = model
  model.commissions.push({
    ...earned,
    id: debt.id,
    refundId: refund.id,
    amount: -reduction,
    occurredAt: now,
    dueAt: now,
    isHeld: false,
    ended: null,
    paidAt: null,
    isPaidOutsidePayout: false,
  })
}

export const voiding = fc.tuple(position).map(([at]) =>
  command(
    `void ${at}`,
    (model) => model.commissions.length > 0,
    async (model, { program }) => {
      const commission = pick(model.commissions, at)
      const { status, body } = await program.delete(`/commissions/${commission.id}`)
      if (commission.ended === 'paid') return expect(status).toBe(422)
      expect([status, body.state]).toEqual([200, 'void'])
      commission.ended = 'void'
    },
  ),
)

export const pay = fc.tuple(position, viaGraphQL).map(([at, overGraphQL]) =>
  command(
    `pay ${at}`,
    (model) => model.openPayouts().length > 0,
    async (model, { program }) => {
      const open = (await program.get('/payouts?state=pending&limit=100')).body.data
      const expected = model.openPayouts().map(({ affiliate, ...rest }) => ({ affiliate_id: affiliate.id, ...rest }))
      const actual = open.map(({ affiliate_id, currency: code, amount }: any) => ({
        affiliate_id,
        currency: code,
        amount,
      }))
      expect(sorted(actual)).toEqual(sorted(expected))
      const payout = pick(open as any[], at)
      const affiliate = model.affiliates.find(({ id }) => id === payout.affiliate_id) as Affiliate
      const isEnough = payout.amount >= affiliate.campaign.rule.minimumPayout
      if (overGraphQL) {
        const payment = program.graphql(
          'mutation ($id: ID!, $expected: SafeInt) { payPayout(input: { id: $id, expectedAmountCents: $expected }) { payout { state } } }',
          { id: payout.id, expected: payout.amount },
        )
        expect((await refusedOr(payment)) !== 'refused').toBe(isEnough)
      } else {
        const { status } = await program.post(`/payouts/${payout.id}/pay`)
        expect(status).toBe(isEnough ? 200 : 422)
      }
      if (!isEnough) return
      for (const one of model.dueCommissionsOf(affiliate, payout.currency)) {
        one.ended = 'paid'
        one.paidAt = model.now
      }
      model.paid.push({ id: payout.id, affiliate, currency: payout.currency, amount: payout.amount })
    },
  ),
)

const sorted = <T>(rows: T[]) => rows.map((row) => JSON.stringify(row)).sort()
