import { builder, supersetOnly } from '../../graphql/builder.ts'
import type { CommissionStats } from './commission-stats.ts'

declare global {
  namespace PothosSchemaTypes {
    interface ModuleScalars {
      CommissionStats: { Input: never; Output: CommissionStats }
    }
  }
}

/** JSON has no exact integers beyond it; no number is better than one that is nearly right. */
const exact = (cents: bigint) =>
  cents <= Number.MAX_SAFE_INTEGER && cents >= Number.MIN_SAFE_INTEGER ? Number(cents) : null

builder.scalarType('CommissionStats', {
  description:
    'By currency (ISO 4217, upper case) `{unpaid, due, paid, total, gross_revenue, net_revenue}`, each `{cents, currency_iso}`: unpaid is pending and due, total is unpaid and paid, net is gross without refunds; void commissions are in none. Cents are null beyond 2^53 - 1.',
  subGraphs: supersetOnly,
  serialize: ({ currencies }: CommissionStats) => ({
    currencies: Object.fromEntries(
      [...currencies].map(([currency, { grossRevenue, netRevenue, ...sums }]) => {
        const iso = currency.toUpperCase()
        const amounts = Object.entries({ ...sums, gross_revenue: grossRevenue, net_revenue: netRevenue })
        return [
          iso,
          Object.fromEntries(amounts.map(([name, cents]) => [name, { cents: exact(cents), currency_iso: iso }])),
        ]
      }),
    ),
  }),
})
