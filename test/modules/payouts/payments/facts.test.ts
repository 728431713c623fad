import { afterAll, describe, expect, it } from 'vitest'
import { examine } from '../../../../src/modules/doctor/service.ts'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { listed, reportSale } from '../../../support/factories.ts'
import { earner, runsOf } from '../../../support/payout-runs.ts'

const app = await createTestApp()
afterAll(async () => expect(await examine(app.database)).toEqual([]))

const message = (run: Promise<unknown>) =>
  run.then(
    () => 'done',
    ({ errors: [error] }) => error.message,
  )

const importResults = async (program: TestProgram, runId: string, file: string) =>
  (
    await program.graphql(
      `mutation ($input: ImportPayoutResultsInput!) { importPayoutResults(input: $input) {
        changed unchanged unmatched { line reason } payoutRun { items { nodes { payoutId state goneCents } } }
      } }`,
      { input: { runId, file } },
    )
  ).importPayoutResults

const open = async (program: TestProgram) =>
  (await listed(program, '/payouts?state=pending')).map(({ amount }) => amount).sort()
const states = async (program: TestProgram, runId: string) =>
  (await runsOf(program).look(runId)).items.nodes.map(({ state, goneCents }: any) => [state, goneCents])
const refundHalf = (program: TestProgram, saleId: string) =>
  program.post('/conversions/refund', { sale_id: saleId, amount_cents: 5_000 })

/** A run of payouts of 10.00 whose file somebody has. */
async function fetchedRun(count = 1, method = 'PAYPAL') {
  const program = await app.createProgram()
  const earners = []
  for (let n = 0; n < count; n += 1) earners.push(await earner(program))
  const runs = runsOf(program)
  const run = await runs.create({ method })
  return { program, runs, run, earners, first: earners[0] as Awaited<ReturnType<typeof earner>> }
}

describe('a refund between the file and its payment', () => {
  it('is a debt: the run is sent and paid at the amounts of its file', async () => {
    const { program, runs, run, first } = await fetchedRun(2)
    await refundHalf(program, first.saleId)
    expect(await runs.markSent(run.id)).toMatchObject({ state: 'SENT', changed: [] })
    expect(await runs.markPaid(run.id)).toMatchObject({ state: 'PAID', amountCents: 2_000 })
    await reportSale(program, { coupon: first.coupon })
    expect(await open(program)).toEqual([500])
  })

  it.each(['PAID', 'report'])('is a debt, if only the result is recorded: %s', async (how) => {
    const { program, runs, run, first } = await fetchedRun()
    await refundHalf(program, first.saleId)
    if (how === 'PAID') await runs.record(run.id, [{ payoutId: first.payout.id, state: 'PAID' }])
    else await importResults(program, run.id, `Id,Status\n${first.payout.id},SUCCESS\n`)
    expect(await listed(program, '/payouts')).toMatchObject([{ state: 'paid', amount: 1_000 }])
    await reportSale(program, { coupon: first.coupon })
    expect(await open(program)).toEqual([500])
  })

  it('and before the file was fetched, is a debt too: what the file pays is recorded', async () => {
    const program = await app.createProgram()
    const { saleId, coupon } = await earner(program)
    const runs = runsOf(program)
    const { id } = await runs.prepare({ method: 'PAYPAL' })
    await refundHalf(program, saleId)
    expect(await message(runs.markPaid(id))).toContain('has changed since the run was made')
    await runs.read(id)
    expect(await runs.look(id)).toMatchObject({ fetchedAt: expect.any(String) })
    expect(await runs.markPaid(id)).toMatchObject({ state: 'PAID' })
    expect(await listed(program, '/payouts')).toMatchObject([{ state: 'paid', amount: 1_000 }])
    await reportSale(program, { coupon })
    expect(await open(program)).toEqual([500])
  })

  it('does not pay twice who was taken out of the run, or whose run was cancelled', async () => {
    const { program, runs, run, earners } = await fetchedRun(2)
    const [one, two] = earners.map(({ payout }) => payout.id)
    await runs.record(run.id, [{ payoutId: one, state: 'CANCELLED' }])
    await runs.record(run.id, [{ payoutId: one, state: 'PAID' }])
    await runs.cancel(run.id)
    expect(await runs.record(run.id, [{ payoutId: two, state: 'PAID' }])).toMatchObject({ state: 'PAID' })
    expect(await open(program)).toEqual([])
  })
})

describe('what a service did', () => {
  it('is recorded beside a payout that was paid otherwise meanwhile: it is a debt', async () => {
    const { program, runs, run, first } = await fetchedRun()
    await runs.cancel(run.id)
    await program.post(`/payouts/${first.payout.id}/pay`)
    await runs.record(run.id, [{ payoutId: first.payout.id, state: 'PAID' }])
    await reportSale(program, { coupon: first.coupon, amount_cents: 30_000 })
    expect(await open(program)).toEqual([2_000])
    await runs.record(run.id, [{ payoutId: first.payout.id, state: 'RETURNED' }])
    expect(await open(program)).toEqual([3_000])
    expect((await listed(program, '/payouts?state=paid')).map(({ amount }) => amount)).toEqual([1_000])
  })

  it('counts by its own time: what failed by mistake and was paid is a debt, and a payment that came back stays back', async () => {
    const { program, runs, run, earners } = await fetchedRun(2)
    const [one, two] = earners.map(({ payout }) => payout.id)
    await runs.markPaid(run.id)
    await runs.record(run.id, [
      { payoutId: one, state: 'FAILED', at: '2026-03-11T00:00:00Z' },
      { payoutId: two, state: 'RETURNED', at: '2026-03-13T00:00:00Z' },
    ])
    expect(await open(program)).toEqual([1_000, 1_000])
    await runs.record(run.id, [
      { payoutId: one, state: 'PAID', at: '2026-03-12T00:00:00Z' },
      { payoutId: two, state: 'PAID', at: '2026-03-12T00:00:00Z' },
    ])
    expect((await states(program, run.id)).sort()).toEqual([
      ['PAID', 1_000],
      ['RETURNED', 0],
    ])
    expect(await open(program)).toEqual([0, 1_000])
  })

  it('is recorded at its amount: the rest stays owed, and what comes back in part is owed again', async () => {
    const { program, runs, run, first } = await fetchedRun()
    const record = (result: object) => runs.record(run.id, [{ payoutId: first.payout.id, ...result }])
    await record({ state: 'PAID', amountCents: 400 })
    expect(await listed(program, '/payouts')).toMatchObject([
      { state: 'pending', amount: 600 },
      { state: 'paid', amount: 400 },
    ])
    await record({ state: 'PAID', amountCents: 400 })
    await record({ state: 'RETURNED', amountCents: 100 })
    expect(await open(program)).toEqual([700])
    await record({ state: 'RETURNED' })
    expect(await open(program)).toEqual([1_000])
    expect(await states(program, run.id)).toEqual([['RETURNED', 0]])
  })

  it('can be a payout of 0, which a debt has lowered: it is paid by hand, undone, and fails', async () => {
    const { program, runs, run, first } = await fetchedRun()
    await runs.markPaid(run.id)
    await refundHalf(program, first.saleId)
    await reportSale(program, { coupon: first.coupon, amount_cents: 5_000 })
    const [payout] = await listed(program, '/payouts?state=pending')
    expect(payout.amount).toBe(0)
    expect((await program.post(`/payouts/${payout.id}/pay`)).status).toBe(200)
    expect(await examine(app.database, { programId: program.id })).toEqual([])
    const runId = async () =>
      (await program.graphql('{ payoutRuns(first: 1) { nodes { id } } }')).payoutRuns.nodes[0].id
    expect(await runs.undo(payout.id)).toMatchObject({ state: 'PENDING' })
    expect(await open(program)).toEqual([0])
    expect((await program.post(`/payouts/${payout.id}/pay`)).status).toBe(200)
    const time = '2026-03-02T10:00:00Z'
    await runs.record(await runId(), [{ payoutId: payout.id, state: 'UNCLAIMED', at: time }])
    expect(await runs.undo(payout.id)).toMatchObject({ state: 'PENDING' })
    expect(await states(program, await runId())).toEqual([['CANCELLED', 0]])
    expect(await examine(app.database, { programId: program.id })).toEqual([])
    // A service may say that it failed, whatever was paid.
    expect((await program.post(`/payouts/${payout.id}/pay`)).status).toBe(200)
    await runs.record(await runId(), [{ payoutId: payout.id, state: 'FAILED' }])
    expect(
      (await listed(program, '/payouts?state=pending,paid,failed')).map(({ amount, state }) => [amount, state]),
    ).toEqual([
      [0, 'pending'],
      [0, 'failed'],
      [1_000, 'paid'],
    ])
    expect(await examine(app.database, { programId: program.id })).toEqual([])
  })

  it('waits if a payment is unclaimed: it is not offered again until it is returned or cancelled at the service', async () => {
    const { program, runs, run, earners } = await fetchedRun(2)
    const [one, two] = earners.map(({ payout }) => payout.id)
    await runs.markSent(run.id)
    const unclaimed = [one, two].map((payoutId) => ({ payoutId, state: 'UNCLAIMED' }))
    await runs.record(run.id, unclaimed)
    const next = await message(runs.create({ method: 'PAYPAL' }))
    expect(next).toContain('No payout can be paid')
    const { payoutRunPreview } = await program.graphql('{ payoutRunPreview(method: PAYPAL) { skipped { reason } } }')
    expect(payoutRunPreview.skipped).toEqual([{ reason: 'UNCLAIMED' }, { reason: 'UNCLAIMED' }])
    await runs.record(run.id, [
      { payoutId: one, state: 'RETURNED' },
      { payoutId: two, state: 'CANCELLED' },
    ])
    expect(await runs.create({ method: 'PAYPAL' })).toMatchObject({ payouts: 2, amountCents: 2_000 })
  })

  it('of which money has left is unclaimed: what is due since is in the next payout', async () => {
    const { program, runs, run, first } = await fetchedRun()
    await runs.markPaid(run.id)
    await runs.record(run.id, [{ payoutId: first.payout.id, state: 'UNCLAIMED' }])
    expect(await runs.look(run.id)).toMatchObject({ state: 'PAID', changed: [] })
    await reportSale(program, { coupon: first.coupon })
    expect(await open(program)).toEqual([1_000])
    const text = '{ payoutPreview(first: 1) { nodes { amount { cents } reason } } }'
    expect((await program.graphql(text)).payoutPreview.nodes).toEqual([{ amount: { cents: 1_000 }, reason: null }])
    expect(await runs.create({ method: 'PAYPAL' })).toMatchObject({ payouts: 1, amountCents: 1_000 })
  })

  it('a sent run is cancelled only if somebody confirms that the service does not pay it', async () => {
    const { runs, run } = await fetchedRun()
    await runs.markSent(run.id)
    expect(await message(runs.cancel(run.id))).toContain('these people are paid twice')
    expect(await runs.cancel(run.id, 'typo', { confirmSent: true })).toMatchObject({ state: 'CANCELLED' })
  })
})

describe('a report', () => {
  const sentRun = async (count = 1) => {
    const made = await fetchedRun(count)
    await made.runs.markSent(made.run.id)
    return made
  }

  it.each([
    ['success and failure', ['SUCCESS', 'FAILED']],
    ['failure and success', ['FAILED', 'SUCCESS']],
    ['newest first', ['RETURNED', 'SUCCESS']],
    ['unclaimed and success', ['UNCLAIMED', 'SUCCESS']],
  ])('with two states of one payment and no dates is a contradiction: %s', async (_name, words) => {
    const { program, run, first } = await sentRun()
    const file = ['Id,Status', ...words.map((word) => `${first.payout.id},${word}`)].join('\n')
    expect(await importResults(program, run.id, file)).toMatchObject({
      changed: 0,
      unmatched: [{ line: 2 }, { line: 3, reason: expect.stringContaining('no date orders them') }],
    })
  })

  it.each([
    ['newest first', ['11/29/2026,Returned', '11/27/2026,Completed']],
    ['oldest first', ['11/27/2026,Completed', '11/29/2026,Returned']],
    ['days first', ['29/11/2026,Returned', '27/11/2026,Completed']],
    ['ISO', ['2026-11-29,Returned', '2026-11-27,Completed']],
  ])('counts rows in the order of their dates: %s', async (_name, rows) => {
    const { program, run, first } = await sentRun()
    const file = ['Date,Status,Custom Number', ...rows.map((row) => `${row},${first.payout.id}`)].join('\n')
    const answer = await importResults(program, run.id, file)
    expect([answer.unmatched, answer.payoutRun.items.nodes[0].state]).toEqual([[], 'RETURNED'])
    expect(await importResults(program, run.id, file)).toMatchObject({ changed: 0, unchanged: 2, unmatched: [] })
    expect(await open(program)).toEqual([1_000])
  })

  it.each([
    [
      'of a type of its own',
      'Date,Type,Status,Gross,Currency,Custom Number',
      (id: string) => [
        `11/29/2026,Mass Pay Reversal,Completed,10.00,USD,${id}`,
        `11/27/2026,Mass Pay Payment,Completed,-10.00,USD,${id}`,
      ],
    ],
    [
      'with another sign',
      'Status,Gross,Currency,Custom Number',
      (id: string) => [`Completed,10.00,USD,${id}`, `Completed,-10.00,USD,${id}`],
    ],
    ['of Wise', 'ID,Status,Direction,Reference', (id: string) => [`T-2,COMPLETED,IN,${id}`, `T-1,COMPLETED,OUT,${id}`]],
  ])('has reversals as rows of their own: %s', async (_name, header, rowsOf) => {
    const { program, run, first } = await sentRun()
    const answer = await importResults(program, run.id, [header, ...rowsOf(first.payout.id)].join('\n'))
    expect([answer.unmatched, answer.payoutRun.items.nodes[0]]).toMatchObject([[], { state: 'RETURNED', goneCents: 0 }])
    expect(await open(program)).toEqual([1_000])
  })

  it.each([
    ['-5.00', '', 'USD', 'The row is 5.00 USD, but the payment is 10.00 USD.'],
    ['-10.00', '', 'EUR', 'The row is -10.00 EUR, but the payment is 10.00 USD.'],
    ['-3.00', '-30.00', 'USD', 'The row is 3.00 USD, but the payment is 10.00 USD.'],
    ['-9.75', '-0.25', 'USD', null],
    ['-10.25', '0.25', 'USD', null],
    ['"-10,00"', '', 'USD', null],
  ])('is compared by amount and currency: %s, fee %s %s', async (gross, fee, currency, problem) => {
    const { program, run, first } = await sentRun()
    const file = `Status,Gross,Fee,Currency,Id\nCompleted,${gross},${fee},${currency},${first.payout.id}\n`
    const { changed, unmatched } = await importResults(program, run.id, file)
    expect(changed).toBe(problem ? 0 : 1)
    expect(unmatched).toEqual(problem ? [{ line: 2, reason: expect.stringContaining(problem) }] : [])
  })

  it('a late failure of a payment that was undone does not reverse the payment that was made since', async () => {
    const { program, runs, run, first } = await fetchedRun()
    await runs.markPaid(run.id)
    await runs.undo(first.payout.id)
    await program.post(`/payouts/${first.payout.id}/pay`)
    const answer = await importResults(program, run.id, `Id,Status\n${first.payout.id},FAILED\n`)
    expect(answer.unmatched[0].reason).toContain('was cancelled in this run')
    expect(await listed(program, '/payouts')).toMatchObject([{ state: 'paid', amount: 1_000 }])
  })
})
