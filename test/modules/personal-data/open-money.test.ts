import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { listed } from '../../support/factories.ts'
import { earner, runsOf } from '../../support/payout-runs.ts'

const app = await createTestApp()

const mutation = `mutation ($input: ErasePersonInput!) { erasePerson(input: $input) { erasedAffiliateId } }`

async function indebted(details: object = { first_name: 'Ada', last_name: 'Lovelace', wallet_a_email: 'ada@a.test' }) {
  const program = await app.createProgram()
  const { affiliate, payout } = await earner(program, details)
  const erase = (input: object = {}, email: string = affiliate.email) =>
    program.graphql(mutation, { input: { email, ...input } })
  const read = async () => (await program.get(`/affiliates/${affiliate.id}`)).body
  return { program, affiliate, payout, erase, read }
}

describe('erasePerson with open money', () => {
  it('is refused until it is said what happens to the money', async () => {
    const { erase } = await indebted()
    await expect(erase()).rejects.toThrow('The affiliate has open money: 10.00 USD.')
    await expect(erase({ openMoney: 'GIVE_UP' })).rejects.toThrow('say why with `reason`')
  })

  it('PAY marks it as paid', async () => {
    const { program, erase, read } = await indebted()
    await erase({ openMoney: 'PAY' })
    expect(await listed(program, '/payouts')).toMatchObject([{ state: 'paid', amount: 1_000 }])
    expect(await read()).toMatchObject({ first_name: null, wallet_a_email: null })
  })

  it('GIVE_UP voids it with the reason', async () => {
    const { program, erase } = await indebted()
    await erase({ openMoney: 'GIVE_UP', reason: 'declined' })
    expect(await listed(program, '/payouts')).toEqual([])
    expect(await listed(program, '/commissions')).toMatchObject([{ state: 'void' }])
  })

  it('KEEP keeps the payment details until it is paid, and the rest is erased after that', async () => {
    const { program, affiliate, payout, erase, read } = await indebted()
    await erase({ openMoney: 'KEEP' })
    const kept = await read()
    expect(kept).toMatchObject({ first_name: 'Ada', wallet_a_email: 'ada@a.test' })
    expect(kept.email).toBe(`erased-${affiliate.id}@erased.invalid`)
    const { events } = await program.graphql('{ events(last: 100) { nodes { type data } } }')
    const types = events.nodes.map(({ type }: { type: string }) => type)
    expect([types.includes('affiliate.created'), types[0]]).toEqual([true, 'affiliate.updated'])
    expect(JSON.stringify(events.nodes)).not.toMatch(/Ada|Lovelace|ada@a\.test/)
    const run = await runsOf(program).create({ method: 'PAYPAL', payoutIds: [payout.id] })
    await runsOf(program).markPaid(run.id)
    await erase({}, kept.email)
    expect(await read()).toMatchObject({ first_name: null, wallet_a_email: null })
    const after = await runsOf(program).read(run.id)
    expect(after.file.content).toMatch(/^erased,10\.00,USD,/)
    expect(after.items.nodes).toMatchObject([{ recipient: null, state: 'PAID' }])
  })
})
