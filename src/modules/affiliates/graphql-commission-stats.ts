import { builder, supersetOnly } from '../../graphql/builder.ts'
import type { CommissionStats } from './commission-stats.ts'

declare global {
  namespace PothosSchemaTypes {
    interface ModuleScalars {
      CommissionStats: { Input: never; Output: CommissionStats }
    }
  }
}

/** JSON numbers are exact only up to 2^53 - 1. Larger amounts become null, so that no rounded amount is sent. */
const exact = (cents: bigint) =>
  cents <= Number.MAX_SAFE_INTEGER && cents >= Number.MIN_SAFE_INTEGER ? Number(cents) : null

builder.scalarType('CommissionStats', {
  description:
    'Commission and revenue sums. `currencies` maps each currency (ISO 4217, upper case) to `{unpaid, due, paid, total, gross_revenue, net_revenue}`, each of the form `{cents, currency_iso}`. `unpaid` is pending and due commissions, `total` is `unpaid` and `paid`, `net_revenue` is `gross_revenue` less refunds. Void commissions are not included. `cents` is null for amounts beyond 2^53 - 1.',
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
