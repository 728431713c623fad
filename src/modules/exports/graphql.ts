import { affiliates } from '../../resources/affiliates.ts'
import { commissions } from '../../resources/commissions.ts'
import { payouts } from '../../resources/payouts.ts'
import { referrals } from '../../resources/referrals.ts'
import { sales } from '../../resources/sales.ts'
import { exportField } from './graphql-field.ts'
import {
  exportAffiliatesInput,
  exportCommissionsInput,
  exportPayoutsInput,
  exportReferralsInput,
  exportSalesInput,
} from './input.ts'
import { exportAffiliates, exportCommissions, exportPayouts, exportReferrals, exportSales } from './service.ts'

exportField('Affiliate', affiliates, exportAffiliatesInput, exportAffiliates, "The program's affiliates.")
exportField('Referral', referrals, exportReferralsInput, exportReferrals, "The program's referrals.")
exportField('Sale', sales, exportSalesInput, exportSales, 'All sales that are attributed to an affiliate.')
exportField(
  'Commission',
  commissions,
  exportCommissionsInput,
  exportCommissions,
  "The program's commissions, including void ones.",
)
exportField(
  'Payout',
  payouts,
  exportPayoutsInput,
  exportPayouts,
  "The program's payouts. Commissions that are due when the export starts are collected first.",
)
