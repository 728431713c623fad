import fc from 'fast-check'
import { expect } from 'vitest'
import type { TestProgram } from '../../support/app.ts'
import {
  type Affiliate,
  type Commission,
  day,
  earnedAfter,
  earnedUntilNow,
  type Model,
  type Refund,
  replayed,
  type Sale,
  undecided,
} from '../model.ts'
import { cents, command, externalIdOf, minimumIn, pick, position, refusedOr, snake, viaGraphQL } from './command.ts'
import { settle } from './runs.ts'

export const refund = fc
  .tuple(
    position,
    fc.option(cents),
    fc.constantFrom(null, 're_1', 're_2', 're_3', 're_4'),
    viaGraphQL,
    fc.option(position),
  )
  .map(([at, amount, externalId, overGraphQL, itemAt]) =>
    command(
      `refund ${at} ${amount ?? 'all'} ${externalId ?? ''} item ${itemAt}`,
      (model) => model.sales.length > 0,
      async (model, { program }) => {
        const sale = pick(model.sales, at)
        const items = itemAt === null ? [] : namedItems(sale, itemAt, amount ?? sale.amount - sale.refunded)
        const input = {
          externalId: sale.externalId,
          ...(items.length > 0 && { items: overGraphQL ? items : items.map(snake) }),
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
          {
            id: response.body.id,
            externalId,
            amount: amount ?? open,
            isReversed: false,
            items: items.map(({ productId, amountCents }) => ({ product: productId, amount: amountCents })),
          },
          response.body.negative_commission,
        )
      },
    ),
  )

/** A product of the sale, as far as it is not refunded by name yet. */
function namedItems({ items, refunds }: Sale, at: number, amount: number) {
  if (items.length === 0) return []
  const { product } = pick(items, at)
  const left = items.filter((one) => one.product === product).reduce((all, one) => all + one.amount, 0)
  const named = refunds
    .filter(({ isReversed }) => !isReversed)
    .flatMap((one) => one.items)
    .filter((one) => one.product === product)
    .reduce((all, one) => all + one.amount, 0)
  const amountCents = Math.min(left - named, amount)
  return amountCents > 0 ? [{ productId: product, amountCents }] : []
}

async function refundOverGraphQL(program: TestProgram, input: object) {
  const response = await program
    .graphql(
      `mutation ($input: RefundSaleInput!) {
        refundSale(input: $input) {
          refund { id } waitingRefund { id } waiting duplicate amountCents negativeCommission { id amountCents }
        }
      }`,
      { input },
    )
    .catch((error) => {
      expect(['REFUSED', 'INVALID_INPUT']).toContain(error.errors?.[0]?.extensions?.code)
      return null
    })
  if (response === null) return { status: 422, body: null as any }
  const { refund, waitingRefund, waiting, duplicate, amountCents, negativeCommission: debt } = response.refundSale
  const negative = debt && { id: debt.id, amount: debt.amountCents }
  return {
    status: duplicate ? 200 : waiting ? 202 : 201,
    body: {
      id: (refund ?? waitingRefund).id,
      waiting,
      duplicate,
      amount_cents: amountCents,
      negative_commission: negative,
    },
  }
}

function applyRefund(model: Model, sale: Sale, refund: Refund, debt: { id: string; amount: number } | null): void {
  sale.refunded += refund.amount
  sale.refunds.push(refund)
  sale.log.push(refund)
  const remaining = sale.amount - sale.refunded
  const commissions = model.commissions.filter((one) => one.sale === sale)
  const earned = commissions.find(({ refundId }) => refundId === null)
  const counting = sale.refunds.filter(({ isReversed }) => !isReversed)
  const target = earned && remaining > 0 ? earnedAfter(earned.rule, sale.amount, counting) : 0
  const reduction = Math.max(earnedUntilNow(commissions) - target, 0)
  if (!earned || earned.ended === 'void') {
    expect(debt).toBeNull()
    return
  }
  if (!model.isFixed(earned) || commissions.length === 0) {
    expect(debt).toBeNull()
    if (remaining === 0) Object.assign(earned, { ended: 'void', isVoidByRefund: true })
    else earned.amount -= reduction
    return
  }
  expect(debt?.amount ?? 0).toBe(-reduction + 0)
  if (debt) addAfterPayment(model, earned, { id: debt.id, refundId: refund.id, amount: -reduction })
}

function addAfterPayment(
  model: Model,
  earned: Commission,
  fields: { id: string; refundId: string; amount: number },
): void {
  const [occurredAt, dueAt] = [model.now, model.now]
  model.commissions.push({ ...earned, ...undecided, occurredAt, dueAt, ...fields })
}

/** A refund before its sale: of the sale that is reported next, or of one that is not attributed yet. */
export const refundEarly = fc
  .tuple(position, fc.option(cents), fc.constantFrom('early_1', 'early_2', 'early_3'), viaGraphQL)
  .map(([at, amount, externalId, overGraphQL]) =>
    command(
      `refund before its sale ${at} ${amount ?? 'all'} ${externalId}`,
      () => true,
      async (model, { program }) => {
        const next = externalIdOf(model.externalIds + 1)
        const saleExternalId = pick([next, ...model.unattributed.map((one) => one.externalId)], at)
        const input = {
          externalId: saleExternalId,
          refundExternalId: externalId,
          ...(amount !== null && { amountCents: amount }),
        }
        const answer = overGraphQL
          ? await refundOverGraphQL(program, input)
          : await program.post('/conversions/refund', snake(input)).then(({ status, body }) => ({ status, body }))
        forgetOldRefunds(model)
        const known = model.waiting.find((one) => one.externalId === externalId)
        const isRecorded = model.sales.some(({ refunds }) => refunds.some((one) => one.externalId === externalId))
        const isOfAnother = known ? known.saleExternalId !== saleExternalId : isRecorded
        if (amount === 0 || isOfAnother) return expect(answer.status).toBe(422)
        const expected = known ?? { id: answer.body.id, saleExternalId, externalId, amount, reportedAt: model.now }
        expect(answer).toMatchObject({
          status: known ? 200 : 202,
          body: { id: expected.id, waiting: true, amount_cents: expected.amount },
        })
        if (!known) model.waiting.push(expected)
      },
    ),
  )

/** Refunds wait for 90 days. */
function forgetOldRefunds(model: Model): void {
  model.waiting = model.waiting.filter(({ reportedAt }) => reportedAt >= model.now - 90 * day)
}

/** Records the refunds that wait for a sale that was recorded now. What exceeds the sale stays without effect. */
export function applyWaiting(model: Model, sale: Sale): void {
  forgetOldRefunds(model)
  for (const { id, externalId, amount, saleExternalId } of model.waiting) {
    const open = sale.amount - sale.refunded
    if (saleExternalId !== sale.externalId || open === 0 || (amount ?? open) > open) continue
    applyRefund(model, sale, { id, externalId, amount: amount ?? open, isReversed: false, items: [] }, null)
  }
  const isRecorded = ({ id }: { id: string }) => sale.refunds.some((one) => one.id === id)
  model.waiting = model.waiting.filter((one) => !isRecorded(one))
}

export const reverse = fc.tuple(position, viaGraphQL).map(([at, overGraphQL]) =>
  command(
    `reverse refund ${at}${overGraphQL ? ' by GraphQL' : ''}`,
    (model) => model.sales.some(({ refunds }) => refunds.length > 0),
    async (model, { program }) => {
      const all = model.sales.flatMap((sale) => sale.refunds.map((refund) => ({ sale, refund })))
      const { sale, refund } = pick(all, at)
      const { id, externalId, amount } = refund
      const input = externalId !== null && at % 2 ? { externalId } : { refundId: id }
      const answer = overGraphQL
        ? await reverseOverGraphQL(program, input)
        : await program.post('/conversions/refund/reverse', snake(input)).then(({ status, body }) => ({ status, body }))
      expect(answer).toMatchObject({ status: 200, body: { id, amount_cents: amount } })
      if (refund.isReversed) return
      refund.isReversed = true
      sale.refunded -= amount
      giveBack(model, sale, refund, answer.body.credit_commission)
    },
  ),
)

async function reverseOverGraphQL(program: TestProgram, input: object) {
  const { reverseRefund } = await program.graphql(
    `mutation ($input: ReverseRefundInput!) {
      reverseRefund(input: $input) { refund { id } amountCents creditCommission { id } }
    }`,
    { input },
  )
  const { refund, amountCents, creditCommission } = reverseRefund
  return {
    status: 200,
    body: { id: refund.id, amount_cents: amountCents, credit_commission: creditCommission as { id: string } | null },
  }
}

function giveBack(model: Model, sale: Sale, { id: refundId }: Refund, credit: { id: string } | null): void {
  const commissions = model.commissions.filter((one) => one.sale === sale)
  const earned = commissions.find((one) => one.refundId === null)
  let owed = 0
  if (earned && !(earned.ended === 'void' && !earned.isVoidByRefund)) {
    const amount = replayed(sale, earned.rule)
    if (model.isFixed(earned)) owed = amount - earnedUntilNow(commissions)
    else Object.assign(earned, { amount, ended: null, isVoidByRefund: false })
  }
  const debt = commissions.find((one) => one.refundId === refundId && one.ended === null && one.sentIn === null)
  if (debt && owed >= -debt.amount) {
    debt.ended = 'void'
    owed += debt.amount
  }
  expect(credit !== null).toBe(owed > 0)
  if (credit) addAfterPayment(model, earned as Commission, { id: credit.id, refundId, amount: owed })
}

export const voiding = fc.tuple(position).map(([at]) =>
  command(
    `void ${at}`,
    (model) => model.commissions.length > 0,
    async (model, { program }) => {
      const commission = pick(model.commissions, at)
      const { status, body } = await program.delete(`/commissions/${commission.id}`)
      const isCredit = commission.refundId !== null && commission.amount > 0
      const isCounted = commission.ended === null && (commission.sentIn !== null || model.hasDebts(commission))
      if (commission.ended === 'paid' || isCredit || isCounted) return expect(status).toBe(422)
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
      // It is the result of the payment of a run whose file was fetched, which was approved if it had to be.
      const sent = model.sentOf(affiliate, payout.currency)
      const isEnough =
        payout.amount >= minimumIn(affiliate.campaign.rule, payout.currency) &&
        (sent !== undefined || !model.needsApproval(payout.amount))
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
      if (sent) return settle(model, sent)
      const members = model.dueCommissionsOf(affiliate, payout.currency)
      for (const one of members) Object.assign(one, { ended: 'paid', paidAt: model.now })
      const { id, currency: code, amount } = payout
      model.closed.push({ id, affiliate, currency: code, amount, state: 'paid', members, runId: null })
    },
  ),
)

const sorted = <T>(rows: T[]) => rows.map((row) => JSON.stringify(row)).sort()
