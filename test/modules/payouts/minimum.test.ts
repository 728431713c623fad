import { expect, it } from 'vitest'
import { examine } from '../../../src/modules/doctor/service.ts'
import { createTestApp } from '../../support/app.ts'
import { createCampaign, made } from '../../support/factories.ts'
import { earner } from '../../support/payout-runs.ts'
import { withhold, withholdFrom } from '../../support/withholding.ts'

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
  expect(await preview('isPayable: true')).toEqual({
    totalCount: 1,
    totals: [{ payouts: 1 }],
    nodes: [{ affiliateId: ready.affiliate.id, reason: null }],
  })
  expect((await preview('isPayable: false')).nodes).toEqual([
    { affiliateId: small.affiliate.id, reason: 'BELOW_MINIMUM' },
  ])
  expect((await preview('search: "grace"')).nodes).toMatchObject([{ affiliateId: small.affiliate.id }])
  expect((await preview('search: "%"')).totalCount).toBe(0)
})

it('payouts are filtered by what can be paid now, also after the minimum or the campaign changed', async () => {
  const program = await app.createProgram()
  const small = await earner(program, {}, {}, { minimum_payout_cents: 5_000 })
  const ready = await earner(program)
  const payable = async (equals: boolean) => {
    const query = `{ payouts(where: { isPayable: { equals: ${equals} } }) { totalCount nodes { id isPayable } } }`
    return (await program.graphql(query)).payouts.nodes
  }
  expect(await payable(true)).toEqual([{ id: ready.payout.id, isPayable: true }])
  expect(await payable(false)).toEqual([{ id: small.payout.id, isPayable: false }])
  await made(program.put(`/campaigns/${small.campaign.id}`, { minimum_payout_cents: 10 }))
  expect((await payable(true)).length).toBe(2)
  const strict = await createCampaign(program, { minimum_payout_cents: 900_000 })
  await made(program.put(`/affiliates/${ready.affiliate.id}`, { campaign_id: strict.id }))
  expect(await payable(true)).toEqual([{ id: small.payout.id, isPayable: true }])
  await made(program.put(`/payouts/${small.payout.id}/pay`, {}))
  expect(await payable(true)).toEqual([])
  expect(await examine(app.database)).toEqual([])
})

it('a payout of which all would be withheld cannot be paid, until another rate holds', async () => {
  const program = await app.createProgram()
  const { affiliate, payout } = await earner(program)
  const cent = await earner(program, {}, { amount_cents: 10 })
  const payable = async () =>
    (await program.graphql('{ payouts(where: { isPayable: { equals: true } }) { nodes { id } } }')).payouts.nodes
      .map(({ id }: any) => id)
      .sort()
  const both = [payout.id, cent.payout.id].sort()
  expect(await payable()).toEqual(both)
  await withhold(program, 10_000)
  expect(await payable()).toEqual([])
  await withholdFrom(program, affiliate.id, 1_500)
  expect(await payable()).toEqual([payout.id])
  // Half of a cent is rounded to the cent.
  await withhold(program, 5_000)
  expect(await payable()).toEqual([payout.id])
  await withhold(program, 4_999)
  expect(await payable()).toEqual(both)
  await withholdFrom(program, affiliate.id, 10_000)
  const later = await earner(program)
  expect(await payable()).toEqual([cent.payout.id, later.payout.id].sort())
  await withholdFrom(program, affiliate.id, null)
  expect(await payable()).toEqual([...both, later.payout.id].sort())
  expect(await examine(app.database)).toEqual([])
})
