import { expect, it } from 'vitest'
import { examine } from '../../../src/modules/doctor/service.ts'
import { createTestApp, restClient, type TestProgram } from '../../support/app.ts'
import { createCampaign, made } from '../../support/factories.ts'
import { earner, runsOf } from '../../support/payout-runs.ts'

const test = await createTestApp()

const setMinimums = (program: TestProgram, id: string, minimums: string) =>
  program.graphql(
    `mutation { updateCampaign(input: { id: "${id}", minimumPayouts: ${minimums} }) {
      campaign { minimumPayoutCents minimumPayouts { currency amountCents } }
    } }`,
  )

async function clientWith(program: TestProgram, input: string) {
  const { createApiKey } = await test.operator(
    `mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Client", ${input} }) { secret } }`,
    { id: program.id },
  )
  return restClient(test.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
}

it('a campaign has a minimum of its own for a currency, and one field for all others', async () => {
  const program = await test.createProgram()
  const { createCampaign: created } = await program.graphql(
    `mutation { createCampaign(input: { name: "Partners", url: "https://acme.test", commissionPercent: 20,
      minimumPayoutCents: 5000, minimumPayouts: [{ currency: "JPY", amountCents: 6000 }, { currency: "eur", amountCents: 4500 }] }) {
      campaign { id minimumPayoutCents minimumPayouts { currency amountCents } }
    } }`,
  )
  const { id, ...minimums } = created.campaign
  expect(minimums).toEqual({
    minimumPayoutCents: 5_000,
    minimumPayouts: [
      { currency: 'eur', amountCents: 4_500 },
      { currency: 'jpy', amountCents: 6_000 },
    ],
  })
  expect((await setMinimums(program, id, '[]')).updateCampaign.campaign).toEqual({
    minimumPayoutCents: 5_000,
    minimumPayouts: [],
  })
})

it('minimums that are not valid are rejected, each with its place', async () => {
  const program = await test.createProgram()
  const { id } = await createCampaign(program)
  const mutation = setMinimums(
    program,
    id,
    '[{ currency: "eur", amountCents: 1 }, { currency: "EUR", amountCents: 2 }, { currency: "gbp", amountCents: -1 }]',
  )
  const { errors } = await mutation.catch((error) => error)
  expect(errors[0].extensions.problems.map(({ path, message }: any) => [path, message])).toEqual([
    [['input', 'minimumPayouts', 1, 'currency'], 'Currency eur has two minimums.'],
    [['input', 'minimumPayouts', 2, 'amountCents'], 'Amount cents must be a whole number from 0 to 9007199254740991'],
  ])
})

it('the superset of REST shows them, and takes them back', async () => {
  const program = await test.createProgram()
  const client = await clientWith(program, 'profile: SUPERSET')
  const { id } = await createCampaign(program)
  const minimum_payouts = [{ currency: 'eur', amount_cents: 2_000 }]
  const { body } = await client.put(`/campaigns/${id}`, { minimum_payouts })
  expect(body.minimum_payouts).toEqual(minimum_payouts)
  expect((await client.put(`/campaigns/${id}`, body)).body).toEqual(body)
  expect((await program.get(`/campaigns/${id}`)).body).not.toHaveProperty('minimum_payouts')
})

it('a payout is paid from the minimum of its currency on, wherever that is decided', async () => {
  const program = await test.createProgram()
  const dollars = await earner(program, {}, {}, { minimum_payout_cents: 5_000 })
  const { campaign } = dollars
  await setMinimums(
    program,
    campaign.id,
    '[{ currency: "eur", amountCents: 1000 }, { currency: "gbp", amountCents: 1001 }]',
  )
  const inCampaign = (currency: string) => earner(program, { campaign_id: campaign.id }, { currency })
  const [euros, pounds] = [await inCampaign('eur'), await inCampaign('gbp')]

  const { payouts, payoutPreview } = await program.graphql(`{
    payouts(orderBy: { field: CREATED_AT, direction: ASC }) { nodes { currency isPayable minimumPayoutCents missingCents } }
    payoutPreview { nodes { currency minimumPayoutCents reason } }
  }`)
  expect(payouts.nodes).toEqual([
    { currency: 'usd', isPayable: false, minimumPayoutCents: 5_000, missingCents: 4_000 },
    { currency: 'eur', isPayable: true, minimumPayoutCents: 1_000, missingCents: 0 },
    { currency: 'gbp', isPayable: false, minimumPayoutCents: 1_001, missingCents: 1 },
  ])
  expect(payoutPreview.nodes).toEqual([
    { currency: 'eur', minimumPayoutCents: 1_000, reason: null },
    { currency: 'gbp', minimumPayoutCents: 1_001, reason: 'BELOW_MINIMUM' },
    { currency: 'usd', minimumPayoutCents: 5_000, reason: 'BELOW_MINIMUM' },
  ])

  const convention = await clientWith(program, 'profile: SUPERSET, words: CONVENTION')
  const ids = async (state: string) =>
    (await convention.get(`/payouts?state=${state}`)).body.data.map(({ id }: any) => id)
  expect(await ids('due')).toEqual([euros.payout.id])
  expect((await ids('pending')).sort()).toEqual([dollars.payout.id, pounds.payout.id].sort())

  await expect(runsOf(program).create({ method: 'GENERIC', currency: 'gbp' })).rejects.toThrow('1 BELOW_MINIMUM')
  expect(await program.put(`/payouts/${pounds.payout.id}/pay`, {})).toMatchObject({
    status: 422,
    body: { error: "The payout of 10.00 GBP is below the campaign's minimum of 10.01 GBP." },
  })
  await made(program.put(`/payouts/${euros.payout.id}/pay`, {}))

  await setMinimums(program, campaign.id, '[{ currency: "usd", amountCents: 1 }]')
  const { payouts: now } = await program.graphql(
    '{ payouts(where: { isPayable: { equals: true } }) { nodes { currency } } }',
  )
  expect(now.nodes).toEqual([{ currency: 'usd' }])
  expect(await examine(test.database)).toEqual([])
})

it('the history has the minimums before and after', async () => {
  const program = await test.createProgram()
  const { id } = await createCampaign(program)
  await setMinimums(program, id, '[{ currency: "gbp", amountCents: 1500 }, { currency: "eur", amountCents: 2000 }]')
  await setMinimums(program, id, '[{ currency: "eur", amountCents: 2000 }, { currency: "gbp", amountCents: 1500 }]')
  await setMinimums(program, id, '[]')
  const { campaign } = await program.graphql(
    `{ campaign(id: "${id}") { history(first: 5) { nodes { action changes { field from to } } } } }`,
  )
  const minimums = '{"eur":"2000","gbp":"1500"}'
  expect(campaign.history.nodes.slice(0, 2)).toEqual([
    { action: 'UPDATED', changes: [{ field: 'minimumPayouts', from: minimums, to: null }] },
    { action: 'UPDATED', changes: [{ field: 'minimumPayouts', from: null, to: minimums }] },
  ])
  expect(campaign.history.nodes).toHaveLength(3)
})
