import { describe, expect, it } from 'vitest'
import { examine } from '../../../../src/modules/doctor/service.ts'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { listed, reportSale, unknownId } from '../../../support/factories.ts'
import { anotherKey, earner, runsOf } from '../../../support/payout-runs.ts'

const app = await createTestApp()

const ada = { first_name: 'Ada', last_name: 'Lovelace', wallet_a_email: 'ada@a.test', wallet_b_email: 'ada@b.test' }
const message = (run: Promise<unknown>) =>
  run.then(
    () => 'done',
    ({ errors: [error] }) => error.message,
  )

describe('createPayoutRun', () => {
  it('takes all payouts that can be paid, with the amounts seen and the file', async () => {
    const program = await app.createProgram()
    const first = await earner(program)
    const second = await earner(program, { wallet_a_email: '+plus@a.test' }, { amount_cents: 5_000 })
    const run = await runsOf(program).create({ method: 'PAYPAL' })
    expect(run).toMatchObject({ state: 'PREPARED', method: 'PAYPAL', currency: 'usd', payouts: 2, amountCents: 1_500 })
    expect(run.file.name).toBe('payouts-usd-2026-03-10-paypal.csv')
    const digits = (id: string) => id.replaceAll('-', '').slice(2)
    expect(run.file.content).toBe(
      `ada@a.test,10.00,USD,${digits(first.payout.id)},Acme: affiliate payout\r\n` +
        `+plus@a.test,5.00,USD,${digits(second.payout.id)},Acme: affiliate payout\r\n`,
    )
    expect(run.items.nodes).toMatchObject([
      { payout: { id: first.payout.id }, amountCents: 1_000, state: 'PREPARED', recipient: 'ada@a.test' },
      { payout: { id: second.payout.id }, amountCents: 500, state: 'PREPARED', isNewRecipient: true },
    ])
    expect((await runsOf(program).read(run.id)).file).toEqual(run.file)
  })

  it('leaves out what cannot be paid, with the reason', async () => {
    const program = await app.createProgram()
    const made = {
      NO_WALLET: await earner(program, { wallet_b_email: 'ada@b.test' }),
      LONG_EMAIL: await earner(program, { wallet_a_email: `${'a'.repeat(60)}@${'b.'.repeat(40)}test` }),
      BELOW_MINIMUM: await earner(program, ada, {}, { minimum_payout_cents: 5_000 }),
      ALREADY_PAID: await earner(program),
      OTHER_CURRENCY: await earner(program, ada, { currency: 'eur' }),
    }
    await program.post(`/payouts/${made.ALREADY_PAID.payout.id}/pay`)
    const payoutIds = Object.values(made).map(({ payout }) => payout.id)
    expect(await message(runsOf(program).create({ method: 'PAYPAL', payoutIds }))).toContain(
      'No payout can be paid in this run: 1 NO_WALLET',
    )
    expect(await app.database.db.payoutRun.count({ where: { programId: program.id, method: 'paypal' } })).toBe(0)
    const skippedOf = async (input: Record<string, unknown>) => {
      const text =
        'query ($payoutIds: [ID!], $currency: Currency) { payoutRunPreview(method: PAYPAL, payoutIds: $payoutIds, currency: $currency) { skipped { reason payout { id } } } }'
      return (await program.graphql(text, input)).payoutRunPreview.skipped
    }
    const told = Object.fromEntries(
      (await skippedOf({ payoutIds })).map(({ reason, payout }: any) => [reason, payout.id]),
    )
    expect(told).toEqual(Object.fromEntries(Object.entries(made).map(([reason, { payout }]) => [reason, payout.id])))
    expect(await message(runsOf(program).create({ method: 'PAYPAL', payoutIds: [unknownId] }))).toBe(
      `Payout not found: ${unknownId}.`,
    )
    const kwd = await earner(program, ada, { currency: 'kwd' })
    expect(await skippedOf({ currency: 'kwd' })).toMatchObject([
      { reason: 'UNSUPPORTED_CURRENCY', payout: { id: kwd.payout.id } },
    ])
  })

  it('pays an affiliate with both wallets in one run: the preferred method, else the default of the program', async () => {
    const program = await app.createProgram()
    const byDefault = await earner(program, ada)
    const prefers = await earner(program, { ...ada, preferred_payout_method: 'wise' })
    const paypal = await runsOf(program).create({ method: 'PAYPAL' })
    expect(paypal.items.nodes).toMatchObject([{ payoutId: byDefault.payout.id, isByDefault: true }])
    expect(paypal.skipped).toEqual([{ reason: 'OTHER_METHOD', payout: { id: prefers.payout.id } }])
    const wise = await runsOf(program).create({ method: 'WISE' })
    expect(wise.items.nodes).toMatchObject([{ payoutId: prefers.payout.id, isByDefault: false }])
    expect(wise.skipped).toEqual([{ reason: 'IN_OPEN_RUN', payout: { id: byDefault.payout.id } }])
  })

  it('is the only open run of its payouts, until it is cancelled', async () => {
    const program = await app.createProgram()
    const { payout } = await earner(program)
    const runs = runsOf(program)
    const first = await runs.prepare({ method: 'GENERIC' })
    expect(await message(runs.create({ method: 'MANUAL' }))).toContain('1 IN_OPEN_RUN')
    const refusal = await program.post(`/payouts/${payout.id}/pay`)
    expect([refusal.status, refusal.body.error]).toEqual([
      422,
      `The payout is in the open payout run ${first.id}. Mark the run, or cancel it first.`,
    ])
    expect(await runs.cancel(first.id, 'wrong month')).toMatchObject({ state: 'CANCELLED', reason: 'wrong month' })
    expect((await runs.create({ method: 'MANUAL' })).items.nodes).toMatchObject([{ payoutId: payout.id }])
  })

  it('PayPal takes no decimals in HUF: half a unit and more is rounded up, and the rest is in the next payout', async () => {
    const program = await app.createProgram()
    await earner(program, ada, { currency: 'huf', amount_cents: 370_370 })
    await earner(program, ada, { currency: 'huf', amount_cents: 370_500 })
    const runs = runsOf(program)
    const { id, file, amountCents } = await runs.create({ method: 'PAYPAL', currency: 'huf' })
    expect(file.content.split('\r\n').map((line: string) => line.split(',')[1])).toEqual(['370', '371', undefined])
    expect(amountCents).toBe(74_100)
    await runs.cancel(id)
    const amounts = async (state: string) =>
      (await listed(program, `/payouts?state=${state}`)).map(({ amount }) => amount).sort()
    expect(await amounts('pending')).toEqual([37_037, 37_050])
    await runs.markPaid((await runs.create({ method: 'PAYPAL', currency: 'huf' })).id)
    expect([await amounts('paid'), await amounts('pending')]).toEqual([[37_000, 37_100], [37]])
    expect(await examine(app.database, { programId: program.id })).toEqual([])
  })
})

describe('marking a run', () => {
  it('marks exactly its payouts as paid, with the reference, once', async () => {
    const program = await app.createProgram()
    const { payout, coupon } = await earner(program)
    const runs = runsOf(program)
    const run = await runs.create({ method: 'PAYPAL' })
    await reportSale(program, { coupon })
    await earner(program)
    expect(await runs.markSent(run.id, 'batch-1')).toMatchObject({ state: 'SENT', reference: 'batch-1' })
    const paid = await runs.markPaid(run.id)
    expect(paid).toMatchObject({ state: 'PAID', totals: [{ state: 'PAID', payouts: 1, amountCents: 1_000 }] })
    expect(await runs.markPaid(run.id)).toEqual(paid)
    const payouts = await listed(program, '/payouts')
    expect(payouts.map(({ state, amount }) => [state, amount]).sort()).toEqual([
      ['paid', 1_000],
      ['pending', 1_000],
      ['pending', 1_000],
    ])
    const { payout: read } = await program.graphql(`{ payout(id: "${payout.id}") { state reference } }`)
    expect(read).toEqual({ state: 'PAID', reference: 'batch-1' })
  })

  it('is refused if a refund changed an amount of a file that nobody fetched, and shows it', async () => {
    const program = await app.createProgram()
    const { payout, saleId } = await earner(program)
    const runs = runsOf(program)
    const run = await runs.prepare({ method: 'PAYPAL' })
    await program.post('/conversions/refund', { sale_id: saleId, amount_cents: 5_000 })
    expect((await runs.look(run.id)).changed).toEqual([{ payoutId: payout.id }])
    for (const mark of [runs.markSent, runs.markPaid])
      expect(await message(mark(run.id))).toContain('1 payout has changed since the run was made')
    await runs.cancel(run.id)
    const next = await runs.create({ method: 'PAYPAL' })
    expect(await runs.markPaid(next.id)).toMatchObject({ state: 'PAID', amountCents: 500 })
  })

  it('makes a refund of a sent payout a debt, so that the amount stays', async () => {
    const program = await app.createProgram()
    const { saleId, coupon, commission } = await earner(program)
    const runs = runsOf(program)
    const run = await runs.create({ method: 'PAYPAL' })
    await runs.markSent(run.id)
    await program.post('/conversions/refund', { sale_id: saleId })
    expect((await program.delete(`/commissions/${commission.id}`)).status).toBe(422)
    expect(await runs.markPaid(run.id)).toMatchObject({ state: 'PAID', amountCents: 1_000 })
    await reportSale(program, { coupon, amount_cents: 30_000 })
    expect(await listed(program, '/payouts?state=pending')).toMatchObject([{ amount: 2_000 }])
  })

  it('above a sum, needs the approval of somebody else', async () => {
    const program = await app.createProgram()
    await app.operator(
      `mutation { updateProgram(input: { id: "${program.id}", payoutApprovalAboveCents: 999 }) { program { id } } }`,
    )
    const { payout } = await earner(program)
    const runs = runsOf(program)
    const run = await runs.create({ method: 'PAYPAL' })
    expect(run.needsApproval).toBe(true)
    for (const mark of [runs.markSent, runs.markPaid])
      expect(await message(mark(run.id))).toContain('a second person has to approve it')
    expect(await message(runs.approve(run.id))).toContain('You prepared this run')
    expect((await program.post(`/payouts/${payout.id}/pay`)).status).toBe(422)
    expect(await runsOf(await anotherKey(app, program)).approve(run.id)).toMatchObject({ state: 'APPROVED' })
    expect(await runs.markPaid(run.id)).toMatchObject({ state: 'PAID' })
  })

  it('of one by hand is what POST /payouts/{id}/pay does', async () => {
    const program = await app.createProgram()
    const { payout } = await earner(program)
    await program.post(`/payouts/${payout.id}/pay`)
    await program.post(`/payouts/${payout.id}/pay`)
    const { payoutRuns } = await program.graphql(
      '{ payoutRuns { nodes { method state payouts items { nodes { payoutId state } } } } }',
    )
    expect(payoutRuns.nodes).toEqual([
      { method: 'MANUAL', state: 'PAID', payouts: 1, items: { nodes: [{ payoutId: payout.id, state: 'PAID' }] } },
    ])
  })
})

describe('before a run is made', () => {
  const preview = async (program: TestProgram, args: string) =>
    (
      await program.graphql(
        `{ payoutRunPreview(${args}) { currency payouts amountCents needsApproval skippedCount skipped { reason payout { id missingCents affiliate { email } } } } }`,
      )
    ).payoutRunPreview

  it('payoutRunPreview says what it would pay and whom it would leave out, and makes none', async () => {
    const program = await app.createProgram()
    await earner(program)
    const none = await earner(program, {})
    const expected = {
      currency: 'usd',
      payouts: 1,
      amountCents: 1_000,
      needsApproval: false,
      skippedCount: 1,
      skipped: [
        {
          reason: 'NO_WALLET',
          payout: { id: none.payout.id, missingCents: 0, affiliate: { email: none.affiliate.email } },
        },
      ],
    }
    expect(await preview(program, 'method: PAYPAL')).toEqual(expected)
    expect(await app.database.db.payoutRun.count({ where: { programId: program.id } })).toBe(0)
    const run = await runsOf(program).create({ method: 'PAYPAL' })
    expect(run).toMatchObject({
      payouts: 1,
      amountCents: 1_000,
      skipped: [{ reason: 'NO_WALLET', payout: { id: none.payout.id } }],
    })
    const after = await preview(program, 'method: MANUAL')
    expect(after).toMatchObject({ payouts: 1, skipped: [{ reason: 'IN_OPEN_RUN' }] })
    await expect(preview(program, 'method: PAYPAL, asOf: "2190-01-01T00:00:00Z"')).rejects.toThrow(
      "can't be in the future",
    )
    await expect(preview(program, 'method: SEPA')).rejects.toThrow('no account to pay from')
  })

  it('says what is different since the last run of its method and currency', async () => {
    const program = await app.createProgram()
    const runs = runsOf(program)
    const since = async (id: string) => {
      const text = 'query ($id: ID!) { payoutRun(id: $id) { sinceLastRun { previous { id } joined left } } }'
      return (await program.graphql(text, { id })).payoutRun.sinceLastRun
    }
    const ada = await earner(program)
    await earner(program)
    const first = await runs.create({ method: 'PAYPAL' })
    await runs.markPaid(first.id)
    expect(await since(first.id)).toBeNull()
    const sold = await reportSale(program, { coupon: ada.coupon })
    expect(sold).toMatchObject({ commission: { amount: 1_000 } })
    for (const wallet of ['b', 'c', 'd']) await earner(program, { wallet_a_email: `${wallet}@a.test` })
    await earner(program, undefined, { currency: 'eur' })
    const cancelled = await runs.create({ method: 'PAYPAL' })
    await runs.cancel(cancelled.id)
    expect(await since((await runs.create({ method: 'PAYPAL', currency: 'eur' })).id)).toBeNull()
    const second = await runs.create({ method: 'PAYPAL' })
    expect(await since(second.id)).toEqual({ previous: { id: first.id }, joined: 3, left: 1 })
  })

  it('a payout in an open run says so, and the preview of payouts keeps it apart', async () => {
    const program = await app.createProgram()
    const { payout } = await earner(program)
    await earner(program, {})
    const read = () =>
      program.graphql(
        `{ payout(id: "${payout.id}") { openRunId runId isPayable } payouts(where: { isPayable: { equals: true } }) { totalCount }
          payoutPreview { totals { payouts payablePayouts amountCents payableCents } nodes { affiliateId isPayable reason } } }`,
      )
    const before = await read()
    expect(before.payout).toEqual({ openRunId: null, runId: null, isPayable: true })
    expect(before.payouts.totalCount).toBe(2)
    const run = await runsOf(program).create({ method: 'PAYPAL' })
    const { payout: inRun, payouts, payoutPreview } = await read()
    expect(inRun).toEqual({ openRunId: run.id, runId: run.id, isPayable: false })
    expect(payouts.totalCount).toBe(1)
    expect(payoutPreview.totals).toEqual([{ payouts: 2, payablePayouts: 1, amountCents: 2_000, payableCents: 1_000 }])
    expect(payoutPreview.nodes).toContainEqual({
      affiliateId: payout.affiliate_id,
      isPayable: false,
      reason: 'IN_OPEN_RUN',
    })
    await runsOf(program).cancel(run.id)
    expect(await read()).toEqual(before)
    const sent = await runsOf(program).create({ method: 'PAYPAL' })
    await runsOf(program).markSent(sent.id)
    await runsOf(program).record(sent.id, [{ payoutId: payout.id, state: 'CANCELLED' }])
    expect(await read()).toEqual(before)
    const paid = await runsOf(program).create({ method: 'PAYPAL' })
    await runsOf(program).markPaid(paid.id)
    expect((await read()).payout).toEqual({ openRunId: null, runId: paid.id, isPayable: false })
    await runsOf(program).record(paid.id, [{ payoutId: payout.id, state: 'RETURNED' }])
    expect((await read()).payout.runId).toBe(paid.id)
    expect(await examine(app.database)).toEqual([])
  })
})
