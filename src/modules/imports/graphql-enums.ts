import { defineEnum, type Words } from '../../graphql/enums.ts'
import type { importKinds } from './input.ts'
import type { Outcome } from './plan.ts'
import type { ImportedState } from './report.ts'

const importKind: Words<typeof importKinds> = {
  campaign: 'A campaign.',
  affiliate: 'An affiliate. The record may contain the links of the affiliate.',
  affiliate_link: 'A link of an affiliate.',
  affiliate_coupon: 'A coupon of an affiliate.',
  referral: 'A referral with its customer.',
  payout: 'A payout with the ids of its commissions.',
  commission: 'A commission with its sale.',
  sale: 'A sale. Sales are part of commission records and cannot be imported by themselves.',
}

export const ImportKindEnum = defineEnum(
  'ImportKind',
  'The kind of a record that is imported from another server.',
  importKind,
)

export const ImportRecordOutcomeEnum = defineEnum(
  'ImportRecordOutcome',
  'The outcome of importing one record from another server.',
  {
    created: 'The record was created here. In a dry run: it would be created.',
    updated: 'The record was imported before and changed at the source. The changes were applied here.',
    unchanged: 'The record exists here and has no changes to apply.',
    left_out: 'The record has a problem and was not imported, or its changes were not applied. See `message`.',
  } satisfies Record<Outcome, string>,
)

export const ImportedStateEnum = defineEnum(
  'ImportedState',
  'What the amounts of an import are grouped by, in addition to kind and currency.',
  {
    pending: 'Commissions that are not due yet, and payouts that are not paid.',
    due: 'Commissions that are due and not paid.',
    paid: 'Commissions and payouts that are paid.',
    void: 'Commissions that are void.',
    sold: 'Sales, with their full amounts.',
    refunded: 'Sales with refunds, with the refunded amounts.',
    unknown: 'Commissions whose state at the source is not known here. They are left out.',
  } satisfies Record<ImportedState, string>,
)
