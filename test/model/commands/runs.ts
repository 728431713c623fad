import fc from 'fast-check'
import { expect } from 'vitest'
import { runsOf } from '../../support/payout-runs.ts'
import { type Affiliate, type Closed, type Model, sum } from '../model.ts'
import { command, minimumIn, pick, position, refusedOr } from './command.ts'

/** A run of all payouts that can be paid, which is cancelled, paid at once, or sent: by two people if it is above the limit. */
export const payRun = fc
  .tuple(fc.constantFrom('usd', 'eur'), fc.constantFrom('cancelled', 'paid', 'sent'))
  .map(([currency, fate]) =>
    command(
      `run ${currency} ${fate}`,
      (model) => model.openPayouts().some((one) => one.currency === currency),
      async (model, { program, second }) => {
        const runs = runsOf(program)
        const payable = model
          .openPayouts()
          .filter(({ affiliate, amount, ...one }) => {
            const isEnough = amount > 0 && amount >= minimumIn(affiliate.campaign.rule, currency)
            const isDecided = affiliate.state !== 'suspicious'
            return one.currency === currency && isEnough && isDecided && !model.sentOf(affiliate, currency)
          })
          .map(({ affiliate, amount }) => `${affiliate.id} ${amount}`)
        const isEmpty = payable.length === 0
        const run = await runs.create({ method: 'GENERIC', currency }).catch(() => null)
        expect(run === null).toBe(isEmpty)
        if (!run) return
        const { payoutRun } = await program.graphql(
          'query ($id: ID!) { payoutRun(id: $id) { items(first: 100) { nodes { payoutId affiliateId amountCents } } } }',
          { id: run.id },
        )
        const items = payoutRun.items.nodes as { payoutId: string; affiliateId: string; amountCents: number }[]
        expect(items.map((item) => `${item.affiliateId} ${item.amountCents}`).sort()).toEqual(payable.sort())
        expect(run.needsApproval).toBe(model.needsApproval(run.amountCents))
        if (fate === 'cancelled') return expect((await runs.cancel(run.id)).state).toBe('CANCELLED')
        if (run.needsApproval) {
          expect(await refusedOr(runs.markPaid(run.id))).toBe('refused')
          expect(await refusedOr(runs.approve(run.id))).toBe('refused')
          expect((await runsOf(await second()).approve(run.id)).state).toBe('APPROVED')
        }
        await (fate === 'paid' ? runs.markPaid(run.id) : runs.markSent(run.id))
        for (const { payoutId: id, affiliateId, amountCents: amount } of items) {
          const affiliate = model.affiliates.find((one) => one.id === affiliateId) as Affiliate
          const members = model.dueCommissionsOf(affiliate, currency)
          const closed: Closed = { id, affiliate, currency, amount, members, runId: run.id, state: 'sent' }
          for (const one of members) one.sentIn = id
          model.closed.push(closed)
          if (fate === 'paid') settle(model, closed)
        }
      },
    ),
  )

/** The sum above which a second person has to approve a run. */
export const limitRuns = fc.constantFrom(null, 0, 1_000, 20_000).map((cents) =>
  command(
    `approval above ${cents}`,
    () => true,
    async (model, { limit }) => {
      await limit(cents)
      model.approvalAbove = cents
    },
  ),
)

export function settle(model: Model, closed: Closed): void {
  closed.state = 'paid'
  closed.isUnclaimed = false
  for (const one of closed.members) Object.assign(one, { sentIn: null, ended: 'paid', paidAt: model.now })
}

function giveBack(closed: Closed): void {
  closed.state = 'failed'
  closed.isUnclaimed = false
  for (const one of closed.members) Object.assign(one, { sentIn: null, ended: null, paidAt: null })
  closed.members = []
}

/**
 * The result of a payment of a run, as a service or a person says it: it was paid, waits to be claimed, came back, or is
 * taken out of the run. Who says twice what is known, or the opposite of what came back, changes nothing.
 */
export const result = fc
  .tuple(position, fc.constantFrom('PAID', 'FAILED', 'RETURNED', 'UNCLAIMED', 'CANCELLED'))
  .map(([at, state]) =>
    command(
      `result ${at} ${state}`,
      (model) => model.closed.some(({ runId }) => runId !== null),
      async (model, { program }) => {
        const closed = pick(
          model.closed.filter(({ runId }) => runId !== null),
          at,
        )
        const before = closed.state
        const answer = await runsOf(program)
          .record(closed.runId as string, [{ payoutId: closed.id, state }])
          .catch(() => 'refused' as const)
        const isRefused =
          before === 'failed'
            ? state === 'PAID' || state === 'CANCELLED' || state === 'UNCLAIMED'
            : before === 'paid' && !closed.isUnclaimed && state === 'CANCELLED'
        expect(answer === 'refused').toBe(isRefused)
        if (isRefused || before === 'failed') return
        if (state === 'UNCLAIMED') closed.isUnclaimed = true
        else if (state === 'PAID') {
          closed.isUnclaimed = false
          if (before === 'sent') settle(model, closed)
        } else if (state === 'CANCELLED' && before === 'paid') {
          giveBack(closed)
          // What a service says of it later, payments.ts checks.
          closed.runId = null
        } else if (state === 'CANCELLED') {
          for (const one of closed.members) one.sentIn = null
          model.closed.splice(model.closed.indexOf(closed), 1)
        } else giveBack(closed)
      },
    ),
  )

/** A payout that was paid by mistake is open again. */
export const undo = fc.tuple(position).map(([at]) =>
  command(
    `undo ${at}`,
    (model) => model.closed.some(({ state }) => state === 'paid'),
    async (model, { program }) => {
      const closed = pick(
        model.closed.filter(({ state }) => state === 'paid'),
        at,
      )
      const { affiliate, currency, amount } = closed
      const answer = await refusedOr(runsOf(program).undo(closed.id))
      const rest = model.dueCommissionsOf(affiliate, currency)
      const isExceeded = amount + sum(rest) < 0
      const isRefused = !isExceeded && Boolean(model.sentOf(affiliate, currency))
      expect(answer === 'refused').toBe(isRefused)
      if (isRefused) return
      giveBack(closed)
      closed.runId = null
      if (!isExceeded) model.closed.splice(model.closed.indexOf(closed), 1)
    },
  ),
)
