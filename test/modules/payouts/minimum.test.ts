import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { earner } from '../../support/payout-runs.ts'

const app = await createTestApp()

it('a payout says how much is missing until its minimum', async () => {
  const program = await app.createProgram()
  const { payout } = await earner(program, {}, { amount_cents: 9_800 }, { minimum_payout_cents: 5_000 })
  const { payout: read } = await program.graphql(
    `{ payout(id: "${payout.id}") { amountCents minimumPayoutCents missingCents } }`,
  )
  expect(read).toEqual({ amountCents: 980, minimumPayoutCents: 5_000, missingCents: 4_020 })
})

it('the preview is searched by name and e-mail, and filtered by what can be paid', async () => {
  const program = await app.createProgram()
  const small = await earner(program, { first_name: 'Grace' }, {}, { minimum_payout_cents: 5_000 })
  const ready = await earner(program, { first_name: 'Ada' })
  const preview = async (args: string) => {
    const { payoutPreview } = await program.graphql(
      `{ payoutPreview(${args}) { totalCount totals { payouts } nodes { affiliateId reason } } }`,
    )
    return payoutPreview
  }
  expect(await preview('payable: true')).toEqual({
    totalCount: 1,
    totals: [{ payouts: 1 }],
    nodes: [{ affiliateId: ready.affiliate.id, reason: null }],
  })
  expect((await preview('payable: false')).nodes).toEqual([
    { affiliateId: small.affiliate.id, reason: 'BELOW_MINIMUM' },
  ])
  expect((await preview('search: "grace"')).nodes).toMatchObject([{ affiliateId: small.affiliate.id }])
  expect((await preview('search: "%"')).totalCount).toBe(0)
})
