import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { adminToken, createTestApp } from '../support/app.ts'
import { startChild } from '../support/data-directory.ts'
import { earner } from '../support/payout-runs.ts'

const app = await createTestApp()
const server = createServer(app.app.handle)
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const folder = await mkdtemp(join(tmpdir(), 'tributary-runs-'))
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})
const { port } = server.address() as AddressInfo

const run = (...args: string[]) =>
  startChild('src/cli/tributary.ts', args, {
    TRIBUTARY_URL: `http://127.0.0.1:${port}`,
    ADMIN_TOKEN: adminToken,
    NODE_ENV: '',
  }).exited
const json = async (...args: string[]) => {
  const { code, output } = await run(...args)
  expect([code, output]).toEqual([0, expect.stringMatching(/^[{].*[}]$/)])
  return JSON.parse(output)
}

it('a run is made with its file, sent, and closed by a report; a payout is undone', async () => {
  const program = await app.createProgram()
  const [first, second] = [await earner(program), await earner(program)]
  const of = ['--program', program.slug]
  const path = join(folder, 'paypal.csv')
  const { payout_run: made } = await json('create-payout-run', ...of, '--method', 'PAYPAL', '--out', path)
  expect(made).toMatchObject({ state: 'PREPARED', method: 'PAYPAL', payouts: 2, amount_cents: 2_000, file: path })
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\r\n')
  expect(lines.map((line) => line.split(',').slice(0, 3))).toEqual(Array(2).fill(['ada@a.test', '10.00', 'USD']))
  expect(await run('create-payout-run', ...of, '--method', 'PAYPAL', '--out', path)).toEqual({
    code: 1,
    output: `${path} exists already. Nothing was done: name another file with --out.`,
  })

  const ofRun = [...of, '--id', made.id]
  const sent = await json('send-payout-run', ...ofRun, '--reference', 'batch-1')
  expect(sent.payout_run).toMatchObject({ state: 'SENT', reference: 'batch-1' })
  const report = join(folder, 'report.csv')
  const rows = [`${first.payout.id},T-1,Completed,`, `${second.payout.id},T-2,Failed,Receiver is closed`]
  await writeFile(report, ['Unique ID,Transaction ID,Status,Error message', ...rows].join('\n'))
  const totals = [
    { state: 'PAID', payouts: 1, amount_cents: 1_000 },
    { state: 'FAILED', payouts: 1, amount_cents: 1_000 },
  ]
  const preview = await json('import-payout-results', ...ofRun, '--file', report, '--dry-run')
  expect(preview).toMatchObject({ dry_run: true, changed: 2, totals, payout_run: { state: 'SENT' } })
  const imported = await json('import-payout-results', ...ofRun, '--file', report)
  expect(imported).toMatchObject({ dry_run: false, changed: 2, totals, unmatched: [], payout_run: { state: 'PAID' } })

  const undone = await json('undo-payout', ...of, '--id', first.payout.id, '--reason', 'Entered twice')
  expect(undone.payout).toMatchObject({ id: first.payout.id, state: 'PENDING' })
  const next = await json('create-payout-run', ...of, '--method', 'MANUAL')
  expect(next.payout_run).toMatchObject({ payouts: 2, needs_approval: false })
  const cancelled = await json('cancel-payout-run', ...of, '--id', next.payout_run.id, '--reason', 'Too early')
  expect(cancelled.payout_run).toMatchObject({ state: 'CANCELLED', reason: 'Too early' })
  const { payout_runs: listed } = await json('list-payout-runs', ...of)
  expect(listed.map(({ state }: { state: string }) => state)).toEqual(['CANCELLED', 'PAID'])
})

it('a run above the limit is approved by somebody else than who made it', async () => {
  const program = await app.createProgram()
  await earner(program)
  await app.operator(
    `mutation { updateProgram(input: { id: "${program.id}", payoutApprovalAboveCents: 1 }) { program { id } } }`,
  )
  const { createPayoutRun } = await program.graphql(
    'mutation { createPayoutRun(input: { method: MANUAL }) { payoutRun { id needsApproval } } }',
  )
  expect(createPayoutRun.payoutRun.needsApproval).toBe(true)
  const of = ['--program', program.slug, '--id', createPayoutRun.payoutRun.id]
  expect(await run('pay-payout-run', ...of)).toEqual({ code: 1, output: expect.stringContaining('second person') })
  expect((await json('approve-payout-run', ...of)).payout_run.state).toBe('APPROVED')
  expect((await json('pay-payout-run', ...of)).payout_run.state).toBe('PAID')
})

it('the message of a bank of any length is read as a whole, and a run that was sent is cancelled on confirmation', async () => {
  const program = await app.createProgram()
  const [first, second] = [await earner(program), await earner(program)]
  const of = ['--program', program.slug]
  const made = await json('create-payout-run', ...of, '--method', 'MANUAL')
  const ofRun = [...of, '--id', made.payout_run.id]
  await json('send-payout-run', ...ofRun)
  const path = join(folder, 'pain.002.xml')
  const padding = `${' '.repeat(99)}\n`.repeat(4_500)
  const status = ({ payout }: { payout: { id: string } }, code: string) =>
    `<TxInfAndSts><OrgnlEndToEndId>${payout.id.replaceAll('-', '')}</OrgnlEndToEndId><TxSts>${code}</TxSts></TxInfAndSts>`
  await writeFile(
    path,
    `<Document><CstmrPmtStsRpt><OrgnlPmtInfAndSts>${status(first, 'ACSC')}
    ${padding}${status(second, 'RJCT')}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`,
  )
  expect(await json('import-payout-results', ...ofRun, '--file', path)).toMatchObject({ changed: 2, unmatched: [] })

  const next = await json('create-payout-run', ...of, '--method', 'MANUAL')
  const ofNext = [...of, '--id', next.payout_run.id]
  await json('send-payout-run', ...ofNext)
  const cancel = ['cancel-payout-run', ...ofNext, '--reason', 'The bank has cancelled it']
  expect(await run(...cancel)).toMatchObject({ code: 1, output: expect.stringContaining('marked as sent') })
  expect((await json(...cancel, '--confirm-sent')).payout_run.state).toBe('CANCELLED')
})
