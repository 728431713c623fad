import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, expect, it } from 'vitest'
import { exportedNouns } from '../../src/cli/commands/export.ts'
import { routes } from '../../src/rest/routes.ts'
import { adminToken, createTestApp } from '../support/app.ts'
import { makeDataDir, makeTemporaryFolder, startChild } from '../support/data-directory.ts'
import { createAffiliate, createSeller, reportSale } from '../support/factories.ts'

const app = await createTestApp()
const server = createServer(app.app.handle)
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
afterAll(() => void server.close())
const { port } = server.address() as AddressInfo

const run = (...args: string[]) =>
  startChild('src/cli/tributary.ts', ['export', ...args], {
    TRIBUTARY_URL: `http://127.0.0.1:${port}`,
    ADMIN_TOKEN: adminToken,
    NODE_ENV: '',
  }).exited

it('has the nouns of REST', () => {
  const ofRest = routes.filter(({ isExport }) => isExport).map(({ path }) => path.replace('/exports/', ''))
  expect(exportedNouns).toEqual(ofRest)
})

it('writes to standard output, or to a file that has its name once it is complete', async () => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  await reportSale(program, { coupon, amount_cents: 4_900 })
  const folder = await makeTemporaryFolder()
  const { code, output } = await run('sales', '--program', program.slug, '--decimal', 'comma')
  expect([code, output.split('\n')[1]]).toEqual([0, expect.stringContaining(';49,00;')])
  const file = join(folder, 'sales.parquet')
  const written = await run('sales', '--program', program.slug, '--format', 'parquet', '--output', file)
  expect(written).toMatchObject({ code: 0, output: `Exported sales to ${file}.` })
  const { buffer, byteOffset, length } = await readFile(file)
  const rows = await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + length) })
  expect(rows).toMatchObject([{ amount_cents: 4_900n, currency: 'usd' }])
  const later = await run('sales', '--program', program.slug, '--updated-since', '2027-01-01', '--format', 'jsonl')
  expect(later).toMatchObject({ code: 0, output: '' })
})

it('names a mistake, and replaces no file', async () => {
  const program = await app.createProgram()
  const file = join(await makeTemporaryFolder(), 'kept.csv')
  await writeFile(file, 'mine')
  const [taken, noun, mark, unknown] = await Promise.all([
    run('sales', '--program', program.slug, '--output', file),
    run('events', '--program', program.slug),
    run('sales', '--program', program.slug, '--format', 'jsonl', '--bom'),
    run('sales', '--program', 'nobody'),
  ])
  expect(taken).toMatchObject({ code: 1, output: `${file} exists. Name a new file.` })
  expect(await readFile(file, 'utf8')).toBe('mine')
  expect(noun).toMatchObject({ code: 1, output: expect.stringContaining('affiliates, customers') })
  expect(mark).toMatchObject({
    code: 1,
    output: 'Could not export sales. Format must be csv for bom and decimal',
  })
  expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('nobody') })
})

it('reads the embedded database itself while its server is stopped', async () => {
  const DATA_DIR = await makeDataDir()
  const settings = { DATA_DIR, PORT: '', TRIBUTARY_URL: '', ADMIN_TOKEN: '', NODE_ENV: 'production' }
  const started = startChild('src/main.ts', [], { ...settings, PORT: '0', LOG_LEVEL: 'info' })
  await started.ready()
  const tributary = (...args: string[]) => startChild('src/cli/tributary.ts', args, settings).exited
  const create = ['create-program', '--name', 'Acme', '--url', 'https://acme.test', '--currency', 'usd']
  expect(await tributary(...create)).toMatchObject({ code: 0 })
  started.process.kill('SIGTERM')
  await started.exited
  const file = join(DATA_DIR, 'payouts.csv')
  expect(await tributary('export', 'payouts', '--program', 'acme', '--output', file)).toMatchObject({ code: 0 })
  expect(await readFile(file, 'utf8')).toMatch(/^id,created_at,updated_at,state,currency,amount_cents,[^\n]*\r\n$/)
  expect(existsSync(`${file}.partial`)).toBe(false)
})

it('does not let an affiliate in', async () => {
  const program = await app.createProgram()
  const { id } = await createAffiliate(program)
  const { createAffiliateToken } = await program.graphql(
    'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
    { id },
  )
  const headers = { Authorization: `Bearer ${createAffiliateToken.token}` }
  const response = await app.app.fetch(new Request('http://localhost:4000/v1/exports/sales', { headers }))
  expect(response.status).toBe(401)
})
