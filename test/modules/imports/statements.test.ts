import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createCountedDatabase } from '../../support/database.ts'
import { affiliate, at, beginImport, campaign, commission, payout, referral } from './story.ts'

const database = await createCountedDatabase()
const app = await createTestApp({ database })

const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

it('needs as many statements for a hundred records as for two', async () => {
  const counts: Record<number, Record<string, number>> = {}
  for (const count of [2, 100]) {
    const old = await beginImport(app, `https://old-${count}.test/v1`)
    const batches = {
      CAMPAIGN: [campaign(), ...many(count - 1, (n) => campaign({ externalId: `camp-${n + 2}`, isDefault: false }))],
      AFFILIATE: many(count, (n) =>
        affiliate({
          externalId: `aff-${n}`,
          email: `a${n}@x.test`,
          links: [{ externalId: `link-${n}`, token: `token-${n}` }],
        }),
      ),
      REFERRAL: many(count, (n) =>
        referral({
          externalId: `ref-${n}`,
          affiliateId: `aff-${n}`,
          linkId: `link-${n}`,
          customerEmail: `c${n}@x.test`,
        }),
      ),
      PAYOUT: many(count / 2, (n) =>
        payout({ externalId: `pay-${n}`, affiliateId: `aff-${n}`, commissionIds: [`com-${n}`] }),
      ),
      COMMISSION: many(count, (n) => {
        const names = { externalId: `com-${n}`, saleId: `sale-${n}`, saleBillingId: `ch_${n}`, referralId: `ref-${n}` }
        return commission({
          ...names,
          affiliateId: `aff-${n}`,
          ...(n < count / 2 && { state: 'paid', paidAt: at(40) }),
        })
      }),
    }
    counts[count] = {}
    // Analytics are aggregated in the background.
    const own = () => database.statements.filter((sql) => !sql.includes('analytics_')).length
    for (const [kind, records] of Object.entries(batches)) {
      const before = own()
      const results = await old.take(kind, records)
      counts[count][kind] = own() - before
      expect(results.filter(({ outcome }) => outcome !== 'CREATED')).toEqual([])
    }
  }
  expect(counts[100]).toEqual(counts[2])
})
