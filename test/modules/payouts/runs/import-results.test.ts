import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { earner, runsOf } from '../../../support/payout-runs.ts'

const app = await createTestApp()

const importResults = async (program: TestProgram, runId: string, file: string) =>
  (
    await program.graphql(
      `mutation ($input: ImportPayoutResultsInput!) { importPayoutResults(input: $input) {
        changed unchanged remaining unmatched { line reason }
        payoutRun { state items { nodes { payoutId state reference reason } } }
      } }`,
      { input: { runId, file } },
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
    expect(await importResults(program, run.id, file)).toEqual({ ...first, changed: 0, unchanged: 3 })
    expect(await runsOf(program).create({ method: 'PAYPAL' })).toMatchObject({ payouts: 2, amountCents: 2_000 })
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

  it('rejects what is no report', async () => {
    const { program, run } = await sentRun('PAYPAL', { wallet_a_email: 'ada@a.test' })
    await expect(importResults(program, run.id, 'a,b\n1,2')).rejects.toThrow('File has no column for the status')
  })
})
