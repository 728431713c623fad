import fc from 'fast-check'
import { expect } from 'vitest'
import { type Commission, day, type Model } from '../model.ts'
import { cents, command, pick, position, refusedOr, viaGraphQL } from './command.ts'

/** What is asked for, in days from now; the words stand for what the commission says already, null for a blank. */
type Asked = { amount?: number | 'same'; dueIn?: number | 'same'; paidIn?: number | 'same' | null }

const asked: fc.Arbitrary<Asked> = fc.record(
  {
    amount: fc.oneof(cents, cents, fc.constant('same' as const)),
    dueIn: fc.constantFrom(-40, -1, 0, 1, 30, 'same' as const),
    paidIn: fc.constantFrom(null, null, -30, -1, 0, 0, 1, 'same' as const),
  },
  { requiredKeys: [] },
)

export const amend = fc.tuple(position, asked, viaGraphQL).map(([at, given, overGraphQL]) =>
  command(
    `amend ${at} ${JSON.stringify(given)}${overGraphQL ? ' by GraphQL' : ''}`,
    (model) => model.commissions.length > 0,
    async (model, { program }) => {
      const commission = pick(model.commissions, at)
      const change = resolved(model, commission, given)
      const wire = {
        ...(change.amount !== undefined && { amountCents: change.amount }),
        ...(change.dueAt !== undefined && { dueAt: new Date(change.dueAt).toISOString() }),
        ...(change.paidAt !== undefined && { paidAt: change.paidAt && new Date(change.paidAt).toISOString() }),
      }
      const expected = outcome(model, commission, change)
      if (overGraphQL) {
        const answer = refusedOr(
          program.graphql(
            'mutation ($input: AmendCommissionInput!) { amendCommission(input: $input) { commission { id } } }',
            { input: { id: commission.id, ...wire } },
          ),
        )
        if (expected === 'invalid')
          await expect(answer).rejects.toThrow(/can't be in the future|must be a whole number/)
        else expect((await answer) === 'refused').toBe(expected === 'refused')
      } else {
        const { amountCents: amount, dueAt: due_at, paidAt: paid_at } = wire
        const { status, body } = await program.put(`/commissions/${commission.id}`, { amount, due_at, paid_at })
        expect([status, body]).toEqual([expected === 'done' ? 200 : 422, expect.anything()])
      }
      if (expected !== 'done') return
      commission.amount = change.amount ?? commission.amount
      commission.dueAt = change.dueAt ?? commission.dueAt
      if (change.paidAt === undefined || change.paidAt === commission.paidAt) return
      commission.paidAt = change.paidAt
      commission.ended = change.paidAt === null ? null : 'paid'
      commission.isPaidAlone = change.paidAt !== null
    },
  ),
)

type Change = { amount?: number; dueAt?: number; paidAt?: number | null }

function resolved({ now }: Model, { amount, dueAt, paidAt }: Commission, given: Asked): Change {
  const moment = (days: number | 'same', same: number) => (days === 'same' ? same : now + days * day)
  return {
    ...(given.amount !== undefined && { amount: given.amount === 'same' ? amount : given.amount }),
    ...(given.dueIn !== undefined && { dueAt: moment(given.dueIn, dueAt) }),
    ...(given.paidIn !== undefined && {
      paidAt:
        given.paidIn === null || (given.paidIn === 'same' && paidAt === null)
          ? null
          : moment(given.paidIn, paidAt as number),
    }),
  }
}

function outcome(
  model: Model,
  commission: Commission,
  { amount, dueAt, paidAt }: Change,
): 'done' | 'refused' | 'invalid' {
  if (typeof paidAt === 'number' && paidAt > model.now) return 'invalid'
  // Of a debt even its own amount can not be asked for.
  if (amount !== undefined && amount < 0) return 'invalid'
  const isGiven = amount !== undefined || dueAt !== undefined || typeof paidAt === 'number'
  if (isGiven && (commission.refundId !== null || commission.ended === 'void')) return 'refused'
  if (commission.ended !== 'paid') return 'done'
  if (paidAt === null) {
    const { sale } = commission
    const isBuiltUpon = model.commissions.some((one) => one.sale === sale && one.refundId !== null)
    const isGone = sale.refunded > 0 && sale.refunded === sale.amount
    return commission.isPaidAlone && !isBuiltUpon && !isGone ? 'done' : 'refused'
  }
  const isSame = (asked: number | undefined, now: number | null) => asked === undefined || asked === now
  const isUnchanged =
    isSame(amount, commission.amount) && isSame(dueAt, commission.dueAt) && isSame(paidAt, commission.paidAt)
  return isUnchanged ? 'done' : 'refused'
}
