import { exportedAffiliates } from '../../resources/affiliates.ts'
import { commissions } from '../../resources/commissions.ts'
import { customers } from '../../resources/customers.ts'
import { payments } from '../../resources/payments.ts'
import { payouts } from '../../resources/payouts.ts'
import { referrals } from '../../resources/referrals.ts'
import { refunds } from '../../resources/refunds.ts'
import { sales } from '../../resources/sales.ts'
import { unattributedSales } from '../../resources/unattributed-sales.ts'
import { visits } from '../../resources/visits.ts'
import { exportField } from './graphql-field.ts'
import * as input from './input.ts'
import * as rows from './service.ts'
import * as unlisted from './unlisted.ts'

exportField(
  'Affiliate',
  exportedAffiliates,
  input.exportAffiliatesInput,
  rows.exportAffiliates,
  "The program's affiliates, with what they have earned in one currency.",
)
exportField('Customer', customers, input.exportCustomersInput, unlisted.exportCustomers, "The program's customers.")
exportField(
  'Visit',
  visits,
  input.exportVisitsInput,
  unlisted.exportVisits,
  'The visits by links. Old ones are deleted.',
)
exportField('Referral', referrals, input.exportReferralsInput, rows.exportReferrals, "The program's referrals.")
exportField('Sale', sales, input.exportSalesInput, rows.exportSales, 'All sales that are attributed to an affiliate.')
exportField(
  'Refund',
  refunds,
  input.exportRefundsInput,
  unlisted.exportRefunds,
  'All refunds, also those that were reversed.',
)
exportField(
  'Commission',
  commissions,
  input.exportCommissionsInput,
  rows.exportCommissions,
  "The program's commissions, including void ones.",
)
exportField(
  'Payout',
  payouts,
  input.exportPayoutsInput,
  rows.exportPayouts,
  "The program's payouts. Commissions that are due when the export starts are collected first.",
)
exportField(
  'PayoutRunItem',
  payments,
  input.exportPaymentsInput,
  unlisted.exportPayments,
  'The payments of payout runs, with what the payment services did.',
  'Payments',
)
exportField(
  'UnattributedSale',
  unattributedSales,
  input.exportUnattributedSalesInput,
  unlisted.exportUnattributedSales,
  'The sales without an affiliate, which are kept for 90 days, with the reason.',
)
