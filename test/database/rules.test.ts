import { afterAll, beforeAll, expect, test } from 'vitest'
import { mintId } from '../../src/kernel/ids.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { programNames } from '../support/program-names.ts'

let database: TestDatabase
beforeAll(async () => {
  // One test adds a partition.
  database = await createTestDatabase({ isOwn: true })
  await database.db.program.create({
    data: { id: programId, name: 'p', url: 'https://example.com', currency: 'eur', ...programNames(), ...dates },
  })
  await database.db.campaign.create({ data: campaign })
  await database.db.affiliate.create({ data: { ...affiliate, id: affiliateId } })
})
afterAll(() => database.drop())

const at = new Date('2026-01-01T00:00:00Z')
const dates = { createdAt: at, updatedAt: at }
const programId = mintId(at)
const campaignId = mintId(at)
const affiliateId = mintId(at)
const campaign = {
  programId,
  id: campaignId,
  name: 'c',
  url: 'https://example.com',
  private: false,
  isDefault: true,
  rewardType: 'percent' as const,
  commissionBasisPoints: 2_000,
  commissionCurrency: 'eur',
  minimumPayoutCents: 0n,
  daysBeforeReferralsExpire: 30,
  daysBeforeCommissionsAreDue: 30,
  ...dates,
}
const affiliate = { programId, campaignId, email: 'A@b.c', emailKey: 'a@b.c', state: 'active' as const, ...dates }

test.each<[string, string, () => Promise<unknown>]>([
  [
    'a currency in upper case',
    'programs_currency_is_a_code',
    () =>
      database.db.program.create({
        data: { id: mintId(at), name: 'p', url: 'u', currency: 'EUR', ...programNames(), ...dates },
      }),
  ],
  [
    'an e-mail key that is not in lower case',
    'affiliates_email_key_is_lower_case',
    () => database.db.affiliate.create({ data: { ...affiliate, id: mintId(at), emailKey: 'B@b.c' } }),
  ],
  [
    'a token key that is not in lower case',
    'affiliate_links_token_key_is_lower_case',
    () =>
      database.db.affiliateLink.create({
        data: { programId, affiliateId, id: mintId(at), token: 'X', tokenKey: 'X', ...dates },
      }),
  ],
  [
    'more than 100 percent',
    'campaigns_commission_basis_points_in_range',
    () => updateCampaign({ commissionBasisPoints: 10_001 }),
  ],
  [
    'a percentage reward without a percentage',
    'campaigns_reward_is_given',
    () => updateCampaign({ commissionBasisPoints: null }),
  ],
  ['a fixed reward without an amount', 'campaigns_reward_is_given', () => updateCampaign({ rewardType: 'amount' })],
  [
    'an amount above 2^53 - 1',
    'campaigns_minimum_payout_cents_is_exact',
    () => updateCampaign({ minimumPayoutCents: 2n ** 53n }),
  ],
  [
    'a negative counter',
    'affiliates_counters_are_counts',
    () =>
      database.db.affiliate.update({
        where: { programId_id: { programId, id: affiliateId } },
        data: { leads: { decrement: 1 } },
      }),
  ],
  [
    'a negative payout',
    'payouts_amount_cents_is_exact',
    () =>
      database.db.payout.create({
        data: { programId, affiliateId, id: mintId(at), currency: 'eur', amountCents: -1n, ...dates },
      }),
  ],
])('the database rejects %s', async (_, constraint, write) => {
  await expect(write()).rejects.toThrow(constraint)
})

test('the database rejects a commission that is both paid and void', async () => {
  const rules = await database.db
    .$queryRaw`SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE conname = 'commissions_paid_or_void'`
  expect(rules).toEqual([{ rule: 'CHECK (((paid_at IS NULL) OR (voided_at IS NULL)))' }])
})

test('every amount column has a check for 2^53 - 1, and every currency column one for its format', async () => {
  const unchecked = await database.db.$queryRaw`
    SELECT a.attrelid::regclass::text AS table, a.attname::text AS column FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
    WHERE (a.attname LIKE '%\\_cents' OR a.attname LIKE '%currency')
      -- These are sums of amounts.
      AND NOT (c.relname LIKE 'affiliate\\_measure%' AND a.attname LIKE '%\\_cents') AND NOT EXISTS (
      SELECT 1 FROM pg_constraint k WHERE k.contype = 'c' AND k.conrelid = a.attrelid AND k.conkey = ARRAY[a.attnum]
        AND (pg_get_constraintdef(k.oid) LIKE '%9007199254740991%' OR pg_get_constraintdef(k.oid) LIKE '%^[a-z]{3}$%'))`
  expect(unchecked).toEqual([])
})

test('the database rejects a second default campaign and a second open payout per affiliate and currency', async () => {
  await expect(database.db.campaign.create({ data: { ...campaign, id: mintId(at) } })).rejects.toMatchObject({
    code: 'P2002',
  })
  const payout = () => ({ programId, affiliateId, id: mintId(at), currency: 'usd', amountCents: 1n, ...dates })
  await database.db.payout.create({ data: { ...payout(), paidAt: at } })
  await database.db.payout.create({ data: payout() })
  await expect(database.db.payout.create({ data: payout() })).rejects.toMatchObject({ code: 'P2002' })
})

function updateCampaign(data: Record<string, unknown>): Promise<unknown> {
  return database.db.campaign.update({ where: { programId_id: { programId, id: campaignId } }, data })
}

test('no statistics are gathered of JSON and of frozen rows, also in new partitions', async () => {
  await database.db.$executeRaw`select cut_partition('event_states', '2026-03-01')`
  const columns = await database.db.$queryRaw<{ name: string; target: number }[]>`
    select c.relname || '.' || attname as name, coalesce(attstattarget, -1)::int as target
    from pg_class c join pg_attribute a on attrelid = c.oid join pg_type t on t.oid = atttypid
    where relnamespace = current_schema()::text::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
      and (typtype = 'c' or typname in ('json', 'jsonb'))`
  expect(columns.map(({ name }) => name)).toContain('event_states_20260301.rows')
  expect(columns.filter(({ target }) => target !== 0)).toEqual([])
})
