import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ProgramCtx } from '../../../../src/kernel/context.ts'
import { importPayoutResults } from '../../../../src/modules/payouts/runs/import-results.ts'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { silentLog } from '../../../support/database.ts'
import { earner, runsOf } from '../../../support/payout-runs.ts'

afterEach(() => vi.restoreAllMocks())

const app = await createTestApp()

const importResults = async (program: TestProgram, runId: string, file: string, more: object = {}) =>
  (
    await program.graphql(
      `mutation ($input: ImportPayoutResultsInput!) { importPayoutResults(input: $input) {
        dryRun changed unchanged remaining totals { state payouts amountCents } unmatched { line reason }
        payoutRun { state items { nodes { payoutId state reference reason } } }
      } }`,
      { input: { runId, file, ...more } },
    )
  ).importPayoutResults

async function sentRun(method: string, details: object) {
  const program = await app.createProgram()
  const made = []
  for (let n = 0; n < 3; n += 1) made.push((await earner(program, details)).payout.id as string)
  const run = await runsOf(program).create({ method })
  await runsOf(program).markSent(run.id)
  return { program, run, ids: made as [string, string, string] }
}

/** A run with a bonus for each of so many affiliates. */
async function largeRun(count: number) {
  const program = await app.createProgram()
  await program.graphql('mutation ($csv: String!) { importAffiliates(input: { csv: $csv }) { __typename } }', {
    csv: ['email', ...Array.from({ length: count }, (_, n) => `a${n}@example.com`)].join('\n'),
  })
  const affiliates = await app.database.db.affiliate.findMany({ where: { programId: program.id } })
  const bonuses = affiliates.map(
    ({ id }, n) =>
      `b${n}: createCommission(input: { affiliateId: "${id}", kind: BONUS, amountCents: 1000, reason: "Launch" }) { commission { id } }`,
  )
  for (let n = 0; n < count; n += 10) await program.graphql(`mutation { ${bonuses.slice(n, n + 10).join(' ')} }`)
  const run = await runsOf(program).create({ method: 'GENERIC' })
  await runsOf(program).markSent(run.id)
  const payouts = await app.database.db.payout.findMany({ where: { programId: program.id }, select: { id: true } })
  return { program, run, ids: payouts.map(({ id }) => id) }
}

const digits = (id: string) => id.replaceAll('-', '')

describe('importPayoutResults', () => {
  it("reads PayPal's report: rows are matched by our id, others are listed, and the same file changes nothing", async () => {
    const { program, run, ids } = await sentRun('PAYPAL', { wallet_a_email: 'ada@a.test' })
    const [paid, failed, unclaimed] = ids.map((id) => digits(id).slice(2))
    const file = [
      'Transaction ID,Receiver,Sender Item ID,Transaction Status,Error Message',
      `T1,ada@a.test,${paid},SUCCESS,`,
      `T2,ada@a.test,${failed},FAILED,Receiver account is invalid`,
      `T3,ada@a.test,${unclaimed},UNCLAIMED,`,
      'T4,bob@a.test,somebody-else,SUCCESS,',
    ].join('\r\n')
    const first = await importResults(program, run.id, file)
    expect(first).toMatchObject({
      changed: 3,
      unchanged: 0,
      remaining: 0,
      unmatched: [{ line: 5, reason: 'No payment of this run has an id of this row.' }],
      payoutRun: { state: 'PAID' },
    })
    expect(first.payoutRun.items.nodes.toSorted((a: any, b: any) => (a.payoutId < b.payoutId ? -1 : 1))).toEqual([
      { payoutId: ids[0], state: 'PAID', reference: 'T1', reason: null },
      { payoutId: ids[1], state: 'FAILED', reference: 'T2', reason: 'Receiver account is invalid' },
      { payoutId: ids[2], state: 'UNCLAIMED', reference: 'T3', reason: null },
    ])
    expect(await importResults(program, run.id, file)).toEqual({ ...first, changed: 0, unchanged: 3, totals: [] })
    // What is unclaimed waits at PayPal.
    expect(await runsOf(program).create({ method: 'PAYPAL' })).toMatchObject({ payouts: 1, amountCents: 1_000 })
  })

  it("reads Wise's report, with semicolons and a byte-order mark", async () => {
    const details = { first_name: 'Ada', wallet_b_email: 'ada@b.test' }
    const { program, run, ids } = await sentRun('WISE', details)
    const [sent, refunded, waiting] = ids.map((id) => digits(id).slice(-10))
    const file = `\uFEFFID;Status;Reference\nTRANSFER-1;COMPLETED;${sent}\nTRANSFER-2;REFUNDED;${refunded}\nTRANSFER-3;PROCESSING;${waiting}\n`
    expect(await importResults(program, run.id, file)).toMatchObject({
      changed: 2,
      unchanged: 1,
      unmatched: [],
      payoutRun: { state: 'SENT' },
    })
    const later = await importResults(program, run.id, `ID;Status;Reference\nTRANSFER-1;LOST;${sent}\n`)
    expect(later.unmatched).toEqual([{ line: 2, reason: 'The status "LOST" is not known.' }])
    const paidAfterAll = await importResults(program, run.id, `ID;Status;Reference\nTRANSFER-2;SENT;${refunded}\n`)
    expect(paidAfterAll.unmatched[0].reason).toContain('is returned already')
  })

  /** The entries of the run's history that results made, newest first. */
  const recordedOf = async (program: TestProgram, runId: string) => {
    const query = `query ($id: ID!) { payoutRun(id: $id) { history { nodes { action changes { field from to } } } } }`
    const { nodes } = (await program.graphql(query, { id: runId })).payoutRun.history
    return nodes
      .filter(({ action }: { action: string }) => action === 'RESULTS_RECORDED')
      .map(({ changes }: any) => changes)
  }

  it('a dry run tells what would be recorded, and records nothing; the run keeps the numbers of each import', async () => {
    const { program, run, ids } = await sentRun('GENERIC', {})
    const [paid, failed, other] = ids
    const file = `Id,Status,Reason\n${paid},SUCCESS,\n${failed},FAILED,Closed\n${other},LOST,\n`
    const before = await runsOf(program).read(run.id)
    const preview = await importResults(program, run.id, file, { dryRun: true })
    expect(preview).toMatchObject({
      dryRun: true,
      changed: 2,
      remaining: 0,
      totals: [
        { state: 'PAID', payouts: 1, amountCents: 1_000 },
        { state: 'FAILED', payouts: 1, amountCents: 1_000 },
      ],
      unmatched: [{ line: 4, reason: 'The status "LOST" is not known.' }],
    })
    expect(await runsOf(program).read(run.id)).toEqual(before)
    expect(await recordedOf(program, run.id)).toEqual([])

    const { dryRun, changed, totals, unmatched } = await importResults(program, run.id, file)
    expect({ dryRun, changed, totals, unmatched }).toEqual({
      dryRun: false,
      changed: 2,
      totals: preview.totals,
      unmatched: preview.unmatched,
    })
    await importResults(program, run.id, file)
    await runsOf(program).record(run.id, [{ payoutId: other, state: 'RETURNED' }])
    await runsOf(program).record(run.id, [{ payoutId: other, state: 'RETURNED' }])
    expect(await recordedOf(program, run.id)).toEqual([
      [{ field: 'returnedCount', from: null, to: '1' }],
      [
        { field: 'paidCount', from: null, to: '1' },
        { field: 'failedCount', from: null, to: '1' },
      ],
    ])
  })

  it('a dry run refuses what the import refuses: an amount that has changed since', async () => {
    const program = await app.createProgram()
    const { payout, commission } = await earner(program)
    const { payout: same } = await earner(program)
    const run = await runsOf(program).prepare({ method: 'GENERIC' })
    await program.put(`/commissions/${commission.id}`, { amount: 900 })
    for (const dryRun of [true, false])
      await expect(importResults(program, run.id, `Id,Status\n${payout.id},SUCCESS\n`, { dryRun })).rejects.toThrow(
        '1 payout has changed since the run was made',
      )
    for (const file of [`Id,Status\n${payout.id},FAILED\n`, `Id,Status\n${same.id},SUCCESS\n`])
      expect((await importResults(program, run.id, file, { dryRun: true })).changed).toBe(1)
  })

  it('a row with the ids of two payments is a problem of that row, and nothing of it is recorded', async () => {
    const { program, run, ids } = await sentRun('GENERIC', {})
    const [first, second, third] = ids
    const file = `Id,Note,Status\n${first},${second},SUCCESS\n${third},${digits(third)},SUCCESS\n`
    const { changed, unmatched, payoutRun } = await importResults(program, run.id, file)
    expect(changed).toBe(1)
    expect(unmatched).toEqual([
      { line: 2, reason: `The row has the ids of two payments, ${first} and ${second}. Correct the row.` },
    ])
    const states = new Map(payoutRun.items.nodes.map(({ payoutId, state }: any) => [payoutId, state]))
    expect(ids.map((id) => states.get(id))).toEqual(['SENT', 'SENT', 'PAID'])
  })

  it('says how many results are left if the time is over, and the same file does the rest', async () => {
    const { program, run, ids } = await largeRun(110)
    const file = ['Id,Status', ...ids.map((id) => `${id},SUCCESS`)].join('\n')
    const row = await app.database.db.program.findUniqueOrThrow({ where: { id: program.id } })
    let isOver = false
    const realNow = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => realNow() + (isOver ? 25_000 : 0))
    const now = () => {
      // The first batch has begun.
      isOver = true
      return app.clock.now
    }
    const actor = { kind: 'system' } as const
    const ctx: ProgramCtx = { db: app.database.db, now, log: silentLog, requestId: 'import', actor, program: row }
    expect(await importPayoutResults(ctx, { runId: run.id, file })).toMatchObject({ changed: 100, remaining: 10 })
    vi.restoreAllMocks()
    expect(await importResults(program, run.id, file)).toMatchObject({
      changed: 10,
      unchanged: 100,
      remaining: 0,
      totals: [{ state: 'PAID', payouts: 10, amountCents: 10_000 }],
    })
    expect(await recordedOf(program, run.id)).toEqual(
      ['10', '100'].map((to) => [{ field: 'paidCount', from: null, to }]),
    )
  })

  it('rejects what is no report', async () => {
    const { program, run } = await sentRun('PAYPAL', { wallet_a_email: 'ada@a.test' })
    await expect(importResults(program, run.id, 'a,b\n1,2')).rejects.toThrow('File has no column for the status')
  })
})
