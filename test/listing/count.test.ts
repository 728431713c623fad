import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldListCounts } from '../../src/database/upkeep/list-counts.ts'
import { countRows, countRowsBy, findPosition } from '../../src/listing/count.ts'
import { planOf } from '../../src/listing/kept-plan.ts'
import { listingOf } from '../../src/listing/registry.ts'
import { tableOf } from '../../src/listing/table.ts'
import { toRule } from '../../src/listing/where.ts'
import { foldDeltas } from '../../src/modules/analytics/fold.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import { createTestApp, type TestProgram } from '../support/app.ts'
import { examples } from '../support/examples.ts'
import { createSeller } from '../support/factories.ts'

const app = await createTestApp()
const { db } = app.database
const now = app.clock.now

/** Ids for tests, which sort by `n`. */
const id = (n: number) => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
const minutes = (n: number) => new Date(now.getTime() + n * 60_000)

async function createProgramWithSellers() {
  const program = await app.createProgram()
  const sellers = await Promise.all([createSeller(program), createSeller(program)])
  const affiliates = await db.affiliate.findMany({
    where: { id: { in: sellers.map(({ affiliate }) => affiliate.id) } },
  })
  return { program, affiliates }
}

type Sellers = Awaited<ReturnType<typeof createProgramWithSellers>>

/** A sale with its referral and its commission, which can be due from an hour before now to an hour after it. */
async function insertSale({ program, affiliates }: Sellers, n: number, choice: number): Promise<void> {
  const affiliate = affiliates[choice % affiliates.length]
  if (!affiliate) throw new Error('no affiliate')
  const common = { programId: program.id, id: id(n), createdAt: now, updatedAt: now }
  const of = { affiliateId: affiliate.id, campaignId: affiliate.campaignId }
  const at = [minutes(-choice), null]
  const becameConversionAt = at[choice % 2]
  const becameLeadAt = becameConversionAt ?? at[(choice >> 1) % 2]
  await db.referral.create({ data: { ...common, ...of, becameLeadAt, becameConversionAt, expiresAt: now } })
  const money = {
    referralId: id(n),
    currency: choice % 3 === 0 ? 'eur' : 'usd',
    amountCents: 100n,
    occurredAt: minutes(-choice * 60),
  }
  await db.sale.create({ data: { ...common, ...of, ...money, attributedBy: 'manual' } })
  const rule = { ruleRewardType: 'percent', ruleBasisPoints: 2000, ruleDaysBeforeDue: 0 } as const
  const dueAt = minutes(((choice * 7) % 121) - 60)
  await db.commission.create({ data: { ...common, ...of, ...money, ...rule, saleId: id(n), dueAt } })
}

/** Moves a commission to another state. */
const moves = [
  { paidAt: now, voidedAt: null, heldReason: null },
  { paidAt: null, voidedAt: now, heldReason: 'self_referral_email' },
  { paidAt: null, voidedAt: now, heldReason: null },
  { paidAt: null, voidedAt: null, heldReason: 'self_referral_email' },
  { paidAt: null, voidedAt: null, heldReason: null, dueAt: now },
  { paidAt: null, voidedAt: null, heldReason: null, dueAt: minutes(90) },
] as const

const command = fc.record({
  kind: fc.constantFrom(
    'sale',
    'sale',
    'move',
    'affiliate',
    'archive',
    'payout',
    'settle',
    'remove',
    'fold',
    'analytics',
  ),
  choice: fc.nat(200),
})

const states = fc.subarray(['PENDING', 'DUE', 'PAID', 'VOID'].map((word) => word.toLowerCase()))
const conversionStates = fc.subarray(['visitor', 'lead', 'conversion'])

/** Conditions of lists, as GraphQL's `where` has them. */
const whereOf: Record<string, (sellers: Sellers) => fc.Arbitrary<Record<string, unknown>>> = {
  Commission: ({ affiliates }) =>
    fc.record(
      {
        state: fc.oneof(fc.record({ in: states }), fc.record({ not: fc.constantFrom('due', 'void') })),
        affiliateId: fc.constantFrom(...affiliates.map((row) => ({ equals: row.id })), { in: ['no id'] }),
        campaignId: fc.record({ in: fc.subarray(affiliates.map((row) => row.campaignId)) }),
        currency: fc.record({ equals: fc.constantFrom('usd', 'eur', 'chf') }),
        dueAt: fc.record({ lte: fc.integer({ min: -90, max: 90 }).map(minutes) }),
        not: fc.record({ state: fc.record({ in: states }) }),
      },
      { requiredKeys: [] },
    ),
  Sale: ({ affiliates }) =>
    fc.record(
      {
        affiliateId: fc.record({ in: fc.subarray(affiliates.map((row) => row.id)) }),
        currency: fc.record({ in: fc.subarray(['usd', 'eur']) }),
        amountCents: fc.record({ gte: fc.integer({ min: 99, max: 101 }) }),
      },
      { requiredKeys: [] },
    ),
  Referral: ({ affiliates }) =>
    fc.record(
      {
        conversionState: fc.record({ in: conversionStates }),
        campaignId: fc.constantFrom(...affiliates.map((row) => ({ equals: row.campaignId }))),
      },
      { requiredKeys: [] },
    ),
  Affiliate: () => fc.record({ state: fc.record({ in: fc.subarray(['active', 'disabled']) }) }, { requiredKeys: [] }),
  AffiliateLink: () => fc.constantFrom({}, { archivedAt: { equals: null } }, { archivedAt: { not: null } }),
  Payout: () => fc.record({ state: fc.record({ in: fc.subarray(['pending', 'paid']) }) }, { requiredKeys: [] }),
}

async function run(sellers: Sellers, { kind, choice }: { kind: string; choice: number }, n: number): Promise<void> {
  const { program, affiliates } = sellers
  const programId = program.id
  const any = affiliates[choice % affiliates.length]
  if (kind === 'sale') return insertSale(sellers, n, choice)
  if (kind === 'fold') return foldListCounts(db)
  if (kind === 'analytics') return foldDeltas(db)
  if (kind === 'move') {
    const where = { programId, id: { gte: id(choice % (n + 1)) } }
    await db.commission.updateMany({ where, data: moves[choice % moves.length] as object })
  }
  if (kind === 'affiliate')
    await db.affiliate.updateMany({
      where: { programId },
      data: { state: choice % 2 ? 'active' : 'disabled', visitors: choice },
    })
  if (kind === 'archive')
    await db.affiliateLink.updateMany({
      where: { programId, affiliateId: any?.id ?? '' },
      data: { archivedAt: choice % 2 ? now : null },
    })
  const payout = { programId, affiliateId: any?.id ?? '', amountCents: 0n, createdAt: now, updatedAt: now }
  if (kind === 'payout') await db.payout.create({ data: { ...payout, id: id(n), currency: 'usd', paidAt: now } })
  if (kind === 'settle')
    await db.payout.updateMany({
      where: { programId, id: { gt: id(n - choice > 0 ? n - choice : 0) } },
      data: { paidAt: choice % 2 ? now : new Date(0) },
    })
  if (kind === 'remove') await db.payout.deleteMany({ where: { programId, id: { lte: id(choice) } } })
}

it('kept numbers and positions equal those of the rows after any writes, whatever is folded', async () => {
  const sellers = await createProgramWithSellers()
  let n = 1
  await fc.assert(
    fc.asyncProperty(
      fc.array(command, { maxLength: 12 }),
      fc.record(Object.fromEntries(Object.entries(whereOf).map(([noun, of]) => [noun, of(sellers)]))),
      fc.nat(40),
      async (commands, wheres, skip) => {
        for (const each of commands) {
          await run(sellers, each, n)
          n += 1
        }
        for (const [noun, where] of Object.entries(wheres)) {
          const listing = listingOf(noun)
          const rule = { AND: [{ programId: sellers.program.id }, toRule(listing, where, { now })] }
          const listed = { listing, programId: sellers.program.id, rule }
          const rows = await tableOf(db, listing).findMany({ where: rule, orderBy: { id: 'desc' } })
          expect(await countRows(db, listed)).toBe(rows.length)
          expect(await findPosition(db, listed, skip)).toEqual({ count: rows.length, id: rows[skip]?.id ?? null })
          const owners = sellers.affiliates.map(({ campaignId }) => campaignId)
          if (!('campaignId' in (rows[0] ?? {}))) continue
          const expected = owners.map((owner) => rows.filter(({ campaignId }) => campaignId === owner).length)
          expect(await countRowsBy(db, listed, 'campaignId', owners)).toEqual(expected)
        }
      },
    ),
    { numRuns: examples(20), endOnFailure: true },
  )
  expect((await examine(app.database)).filter(({ invariant }) => /list|analytics/.test(invariant.name))).toEqual([])
  await removeMoney(sellers.program)
})

/** The doctor examines the database after the tests, and these rows have no facts. */
async function removeMoney({ id: programId }: TestProgram): Promise<void> {
  await db.commission.deleteMany({ where: { programId } })
  await db.sale.deleteMany({ where: { programId } })
  await db.payout.deleteMany({ where: { programId } })
  await db.referral.deleteMany({ where: { programId } })
  await db.affiliate.updateMany({ where: { programId }, data: { visitors: 0 } })
}

it('a list of many ranges has the right positions, also with deltas and removed rows', async () => {
  const program = await app.createProgram()
  const programId = program.id
  const insert = (from: number, to: number, step: number) => db.$executeRaw`
    insert into customers (program_id, id, email, email_key, created_at, updated_at)
    select ${programId}::uuid, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, n || '@b.c', n || '@b.c', now(), now()
    from generate_series(${from}::int, ${to}::int, ${step}::int) n`
  const listing = listingOf('Customer')
  const listed = { listing, programId, rule: { programId } }
  await insert(0, 20_000, 2)
  await foldListCounts(db)
  expect(await db.listCount.count({ where: { programId, list: 'customers' } })).toBeGreaterThan(3)
  await insert(5_001, 9_001, 2)
  await foldListCounts(db)
  await insert(15_001, 15_401, 2)
  await db.customer.deleteMany({ where: { programId, id: { gte: id(8_000), lt: id(8_100) } } })
  const rows = await db.customer.findMany({ where: { programId }, orderBy: { id: 'desc' }, select: { id: true } })
  for (const skip of [0, 1, 1_999, 2_000, 2_001, 4_321, 7_777, rows.length - 1, rows.length, rows.length + 5])
    expect(await findPosition(db, listed, skip)).toEqual({ count: rows.length, id: rows[skip]?.id ?? null })
  expect(await examine(app.database)).toEqual([])
})

it.each([
  ['Commission', { state: { in: ['due'] }, campaignId: { equals: id(1) } }],
  ['Commission', { not: { state: { equals: 'void' } } }],
  ['Referral', { conversionState: { in: ['lead', 'visitor'] } }],
  ['Sale', { affiliateId: { equals: id(1) }, currency: { equals: 'EUR' } }],
  ['Affiliate', { state: { equals: 'active' } }],
  ['Payout', { state: { equals: 'paid' } }],
  ['Customer', {}],
])('the number of rows of %s where %j is kept', (noun, where) => {
  const rule = { AND: [{ programId: id(0) }, toRule(listingOf(noun), where, { now })] }
  expect(planOf(listingOf(noun), id(0), rule)).not.toBeNull()
})

it.each([
  ['another program', 'Sale', {}, id(1)],
  ['a range', 'Sale', { amountCents: { gte: 1 } }, id(0)],
  ['two different moments', 'Commission', { state: { equals: 'due' }, dueAt: { lte: new Date(0) } }, id(0)],
  ['a relation', 'Sale', { affiliate: { state: { equals: 'active' } } }, id(0)],
  ['alternatives', 'Sale', { or: [{ affiliateId: { equals: id(1) } }, { campaignId: { equals: id(2) } }] }, id(0)],
])('rows are counted for %s', (_, noun, where, programId) => {
  const rule = { AND: [{ programId }, toRule(listingOf(noun), where, { now })] }
  expect(planOf(listingOf(noun), id(0), rule)).toBeNull()
})
