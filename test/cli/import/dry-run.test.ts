import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { dryRunImport } from '../../../src/cli/import/dry-run.ts'
import { dryRunReport } from '../../../src/cli/import/report.ts'
import { importProgram } from '../../../src/cli/import/run.ts'
import type { Source } from '../../../src/cli/import/source.ts'
import { createTarget, type Operate } from '../../../src/cli/import/target.ts'
import { createTestApp } from '../../support/app.ts'
import { type OldLists, oldProgram } from '../../support/old-server.ts'

const app = await createTestApp()
const quiet = { begin() {}, advance() {}, end() {}, notify() {} }
let sources = 0

const newAddress = () => `https://old-${++sources}.test/v1`

/** With small pages, records that depend on each other are in different batches. */
function sourceOf(lists: OldLists, address = newAddress(), { key = address, size = 100 } = {}): Source {
  return {
    address,
    keyHash: key,
    readPage: async (list, page) => {
      const rows = lists[list] ?? []
      return { rows: rows.slice((page - 1) * size, page * size), totalCount: rows.length }
    },
  }
}
const targetOf = (source: Source) => createTarget(app.operator as Operate, source.address)
const run = (source: Source, options = {}) => importProgram(source, targetOf(source), quiet, options)
const dryRun = async (source: Source, options = {}) =>
  dryRunReport(await dryRunImport(source, targetOf(source), quiet, options))

const at = '2026-02-01T00:00:00.000Z'
const affiliate = (id: string, more: object) => ({
  id,
  email: `${id}@x.test`,
  state: 'active',
  created_at: at,
  ...more,
})
const sale = (id: string) => ({ id, currency: 'USD', charge_amount_cents: 1_000, created_at: at, charged_at: at })
const commission = (id: string, more: object) => ({
  id,
  currency: 'USD',
  amount: 200,
  state: 'due',
  due_at: at,
  created_at: at,
  affiliate_id: 'affiliate-00001',
  ...more,
})

/** Adds the newest rows of a list. */
const add = (lists: OldLists, list: string, ...rows: object[]) => lists[list]?.unshift(...rows)

/** What is wrong at a source, each in a program that is right otherwise. */
const faults: [string, (lists: OldLists) => void][] = [
  ['nothing', () => {}],
  [
    'a campaign without a reward, with affiliates, their links, coupons and referrals',
    ({ campaigns = [] }) => Object.assign(campaigns[0], { commission_percent: null, commission_amount_cents: null }),
  ],
  [
    'an e-mail address that two affiliates have',
    (lists) =>
      add(lists, 'affiliates', affiliate('twin', { email: 'AFFILIATE0@old.test', campaign_id: 'campaign-00000' })),
  ],
  [
    'a token that two links have, and a second coupon',
    (lists) => {
      add(lists, 'affiliate_links', { id: 'twin', affiliate_id: 'affiliate-00003', token: 'PARTNER-0' })
      add(lists, 'affiliate_coupons', { id: 'second', affiliate_id: 'affiliate-00001', token: 'ANOTHER' })
    },
  ],
  [
    'commissions in an unknown state, of unknown affiliates, and negative ones',
    (lists) => {
      add(
        lists,
        'commissions',
        commission('frozen', { state: 'frozen', sale: sale('s-1') }),
        commission('deducts-from-frozen', { amount: -50, sale: sale('s-1') }),
        commission('alone', { amount: -250, sale: sale('s-2') }),
        commission('orphan', { affiliate_id: 'nobody', sale: sale('s-3') }),
      )
      add(lists, 'payouts', {
        id: 'empty',
        affiliate_id: 'affiliate-00001',
        amount: 5,
        currency: 'USD',
        state: 'paid',
        paid_at: at,
      })
    },
  ],
]

it.each(faults)('a dry run finds what the run does, with %s', async (_fault, spoil) => {
  const lists = oldProgram(4)
  spoil(lists)
  const source = sourceOf(lists, newAddress(), { size: 5 })
  const expected = await dryRun(source)
  const { report } = await run(source)
  const counts = ({ kind, source: read, created, updated, leftOut }: any) => ({ kind, read, created, updated, leftOut })
  const byKind = (kinds: readonly any[]) => kinds.map(counts).sort((a, b) => (a.kind < b.kind ? -1 : 1))
  expect(byKind(expected.kinds)).toEqual(byKind(report.kinds.filter(({ source: read }) => read > 0)))
  const lines = (notes: readonly any[]) =>
    notes.map(({ kind, isLeftOut, note, count }) => `${count} ${kind} ${isLeftOut ? '-' : '+'} ${note}`).sort()
  expect(lines(expected.notes)).toEqual(lines(report.notes))
  const again = await dryRun(source)
  expect(again.kinds.every(({ created, updated }) => created + updated === 0)).toBe(true)
})

it('names the cause of what was left out, and has one line for each consequence', async () => {
  const lists = oldProgram(8)
  Object.assign(lists.campaigns?.[0], { commission_percent: null, commission_amount_cents: null })
  add(lists, 'commissions', commission('alone', { amount: -250, sale: sale('s-2') }))
  const { report } = await run(sourceOf(lists))
  expect(report.notes.map(({ kind, note, count }) => `${count} ${kind}: ${note}`)).toEqual([
    '1 CAMPAIGN: The campaign has neither a commission percentage nor an amount.',
    '4 AFFILIATE: Their campaign was not imported.',
    '4 AFFILIATE_LINK: Their affiliate was not imported.',
    '4 AFFILIATE_COUPON: Their affiliate was not imported.',
    expect.stringMatching(/^\d+ REFERRAL: Their affiliate was not imported\. Their campaign was not imported\.$/),
    expect.stringMatching(/^\d+ PAYOUT: Their affiliate was not imported\.$/),
    expect.stringMatching(/^\d+ COMMISSION: Their affiliate was not imported\.$/),
    '1 COMMISSION: The commission deducts from its sale, but the source shows no other commission of the sale.',
    expect.stringMatching(/^\d+ SALE: Their commission was not imported\.$/),
  ])
  expect(report.kinds.find(({ kind }) => kind === 'SALE')).toMatchObject({ leftOut: 17 })
})

/** Ids of two programs of one server. */
const program = (ids: () => string = randomUUID): OldLists => {
  const lists = oldProgram(2)
  const renamed = new Map<string, string>()
  const text = JSON.stringify(lists).replace(
    /"(campaign|affiliate|referral|commission|payout|link|coupon|sale)-\d{5}"/g,
    (id) => {
      const name = renamed.get(id) ?? JSON.stringify(ids())
      renamed.set(id, name)
      return name
    },
  )
  return JSON.parse(text)
}

it('never imports one program of a server into the program of another', async () => {
  const address = 'https://shared.test/v1'
  const [first, second] = [program(), program()]
  const imported = await run(sourceOf(first, address, { key: 'key-1' }), { name: 'First' })
  const other = sourceOf(second, address, { key: 'key-2' })
  for (const attempt of [run, dryRun]) {
    await expect(attempt(other)).rejects.toThrow(/^The key belongs to another program of .+ into "First"/)
    await expect(attempt(other, { programId: imported.program.id })).rejects.toThrow('belongs to another program')
  }
  expect(await dryRun(other, { name: 'Copy' })).toMatchObject({ program: null, agrees: true })
  const copy = await run(other, { name: 'Copy' })
  expect(copy.program.id).not.toBe(imported.program.id)
  expect(copy.report.notes).toEqual([])
  expect((await run(other, { name: 'Copy' })).program.id).toBe(copy.program.id)
  // Each key finds its program without a name, also a new key of the same program.
  expect((await run(other)).program.id).toBe(copy.program.id)
  expect((await run(sourceOf(first, address, { key: 'key-3' }))).program.id).toBe(imported.program.id)
  expect((await dryRun(sourceOf(first, address, { key: 'key-3' }))).program?.id).toBe(imported.program.id)
})

it('does not guess when a new key shows ids that other programs can have too', async () => {
  const address = 'https://numbered.test/v1'
  const numbered = () => {
    let count = 0
    return program(() => String(++count))
  }
  const imported = await run(sourceOf(numbered(), address, { key: 'key-1' }), { name: 'Numbered' })
  const another = sourceOf(numbered(), address, { key: 'key-2' })
  await expect(run(another)).rejects.toThrow(`If it is the same program, give --program ${imported.program.id}.`)
  const { program: same, report } = await run(another, { programId: imported.program.id })
  expect(same.id).toBe(imported.program.id)
  expect(report.kinds.every(({ created }) => created === 0)).toBe(true)
})

it('asks for the program when the same one was imported twice', async () => {
  const lists = program()
  const address = 'https://twice.test/v1'
  const [first, second] = [
    await run(sourceOf(lists, address), { name: 'One' }),
    await run(sourceOf(lists, address), { name: 'Two' }),
  ]
  expect(second.program.id).not.toBe(first.program.id)
  await expect(run(sourceOf(lists, address))).rejects.toThrow('This program was imported more than once: into "One"')
})
