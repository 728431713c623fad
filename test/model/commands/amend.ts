import fc from 'fast-check'
import { expect } from 'vitest'
import { type Commission, day, type Model } from '../model.ts'
import { cents, command, pick, position, refusedOr, viaGraphQL } from './command.ts'

/** The requested change. Times are in days from now, `same` is the current value, and null is blank. */
type ChangeRequest = { amount?: number | 'same'; dueIn?: number | 'same'; paidIn?: number | 'same' | null }

const changeRequest: fc.Arbitrary<ChangeRequest> = fc.record(
  {
    amount: fc.oneof(cents, cents, fc.constant('same' as const)),
    dueIn: fc.constantFrom(-40, -1, 0, 1, 30, 'same' as const),
    paidIn: fc.constantFrom(null, null, -30, -1, 0, 0, 1, 'same' as const),
  },
  { requiredKeys: [] },
)

export const amend = fc.tuple(position, changeRequest, viaGraphQL).map(([at, request, overGraphQL]) =>
  command(
    `amend ${at} ${JSON.stringify(request)}${overGraphQL ? ' by GraphQL' : ''}`,
    (model) => model.commissions.length > 0,
    async (model, { program }) => {
      const commission = pick(model.commissions, at)
      const change = resolveChange(model, commission, request)
      const input = {
        ...(change.amount !== undefined && { amountCents: change.amount }),
        ...(change.dueAt !== undefined && { dueAt: new Date(change.dueAt).toISOString() }),
        ...(change.paidAt !== undefined && { paidAt: change.paidAt && new Date(change.paidAt).toISOString() }),
      }
      const expected = expectedOutcome(model, commission, change)
      if (overGraphQL) {
        const response = refusedOr(
          program.graphql(
            'mutation ($input: AmendCommissionInput!) { amendCommission(input: $input) { commission { id } } }',
            { input: { id: commission.id, ...input } },
          ),
        )
        if (expected === 'invalid') await expect(response).rejects.toThrow('must be a whole number')
        else expect((await response) === 'refused').toBe(expected === 'refused')
      } else {
        const { amountCents: amount, dueAt: due_at, paidAt: paid_at } = input
        const { status, body } = await program.put(`/commissions/${commission.id}`, { amount, due_at, paid_at })
        expect([status, body]).toEqual([expected === 'done' ? 200 : 422, expect.anything()])
      }
      if (expected !== 'done') return
      if (change.amount !== undefined && change.amount !== commission.amount) commission.sale.log.push(change.amount)
      commission.amount = change.amount ?? commission.amount
      commission.dueAt = change.dueAt ?? commission.dueAt
      if (change.paidAt === undefined || change.paidAt === commission.paidAt) return
      commission.paidAt = change.paidAt
      commission.ended = change.paidAt === null ? null : 'paid'
      commission.isPaidOutsidePayout = change.paidAt !== null
    },
  ),
)

type Change = { amount?: number; dueAt?: number; paidAt?: number | null }

function resolveChange({ now }: Model, { amount, dueAt, paidAt }: Commission, request: ChangeRequest): Change {
  const moment = (days: number | 'same', same: number) => (days === 'same' ? same : now + days * day)
  return {
    ...(request.amount !== undefined && { amount: request.amount === 'same' ? amount : request.amount }),
    ...(request.dueIn !== undefined && { dueAt: moment(request.dueIn, dueAt) }),
    ...(request.paidIn !== undefined && {
      paidAt:
        request.paidIn === null || (request.paidIn === 'same' && paidAt === null)
          ? null
          : moment(request.paidIn, paidAt as number),
    }),
  }
}

function expectedOutcome(
  model: Model,
  commission: Commission,
  { amount, dueAt, paidAt }: Change,
): 'done' | 'refused' | 'invalid' {
  // An amount cannot be negative, not even the current amount of a debt.
  if (amount !== undefined && amount < 0) return 'invalid'
  const isGiven = amount !== undefined || dueAt !== undefined || typeof paidAt === 'number'
  if (isGiven && (commission.refundId !== null || commission.ended === 'void')) return 'refused'
  if (isGiven && commission.sentIn !== null) return 'refused'
  if (amount !== undefined && model.given.some(({ id, isCorrection }) => isCorrection && id === commission.id))
    return 'refused'
  const isOther = amount !== undefined && amount !== commission.amount
  if (isOther && commission.ended === null && model.hasDebts(commission)) return 'refused'
  if (typeof paidAt === 'number' && commission.isHeld) return 'refused'
  if (commission.ended !== 'paid') return 'done'
  if (paidAt === null) {
    const { sale } = commission
    const hasDebt = model.commissions.some((one) => one.sale === sale && one.refundId !== null)
    const isFullyRefunded = sale.refunded > 0 && sale.refunded === sale.amount
    return commission.isPaidOutsidePayout && !hasDebt && !isFullyRefunded ? 'done' : 'refused'
  }
  const isSame = (requested: number | undefined, current: number | null) =>
    requested === undefined || requested === current
  const isUnchanged =
    isSame(amount, commission.amount) && isSame(dueAt, commission.dueAt) && isSame(paidAt, commission.paidAt)
  return isUnchanged ? 'done' : 'refused'
}
