import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

// What a distributed PostgreSQL would refuse or change, with the reason for which it is there: see docs/scaling.md.

const [, section = ''] = readFileSync('docs/scaling.md', 'utf8').split('\n## A distributed PostgreSQL\n')
/** The triggers and sequences that the page lists; `*` stands for any end or beginning. */
const listed = [...section.matchAll(/^\| (?:triggers?|sequences) (.+?) \|/gm)]
  .flatMap(([, names = '']) => [...names.matchAll(/`([a-z_*]+)`/g)])
  .map(([, name = '']) => new RegExp(`^${name.replaceAll('*', '.*')}$`))
const unlisted = (names: string[]) => names.filter((name) => !listed.some((known) => known.test(name)))

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const reasonsForTriggers: [name: RegExp, reason: string][] = [
  [/^analytics_record_/, 'analytics equal the records at every moment'],
  [/^list_counts_record_/, 'lists have an exact total without counting'],
  [/^measure_record_/, 'what tiers count is known without a scan'],
  [/^affiliates_keep_due_of_(changed|updated)$/, 'lists of affiliates are sorted by what is due'],
  [/^payouts_keep_payable/, 'lists of payouts are filtered by what can be paid'],
  [/^coupons_keep_first$/, 'one coupon of an affiliate is the first that is not archived'],
  [/^program_must_be_open$/, 'nothing is written to a program that is being moved'],
  [/_append_only$/, 'nobody changes the history'],
  [/^refund_stays_reversed$/, 'a refund is reversed once'],
  [/^statements_(keep|note_late)_/, 'a closed month stays as it was, and what comes later is booked later'],
  [/^statements_stay$/, 'nobody changes a statement'],
]

const reasonsForSequences: Record<string, string> = {
  event_numbers: 'the order of events',
  list_deltas_id_seq: 'the order of what is not yet summed up',
  affiliate_measure_deltas_id_seq: 'the order of what is not yet summed up',
  analytics_deltas_id_seq: 'the order of what is not yet summed up',
  former_earnings_id_seq: 'the order of what was replaced',
  deleted_programs: 'tells other instances to forget cached programs',
}

test('every trigger has a known reason', async () => {
  const triggers = await database.db.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT p.proname::text AS name FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND p.pronamespace = 'public'::regnamespace`
  const unknown = triggers.filter(({ name }) => !reasonsForTriggers.some(([known]) => known.test(name)))
  expect(triggers.length).toBeGreaterThan(10)
  expect(unknown).toEqual([])
  expect(unlisted(triggers.map(({ name }) => name))).toEqual([])
})

test('every sequence has a known reason', async () => {
  const sequences = await database.db.$queryRaw<{ name: string }[]>`
    SELECT relname::text AS name FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace`
  expect(sequences.map(({ name }) => name).sort()).toEqual(Object.keys(reasonsForSequences).sort())
  expect(unlisted(sequences.map(({ name }) => name))).toEqual([])
})
