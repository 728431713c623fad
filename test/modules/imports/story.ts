import type { TestApp } from '../../support/app.ts'

// Records as the import command sends them, and functions to send them.

export const source = 'https://old.test/v1'

export const at = (day: number, minute = 0) => new Date(Date.UTC(2026, 0, day, 12, minute)).toISOString()

export const campaign = (more: object = {}) => ({
  externalId: 'camp-1',
  name: 'Partners',
  url: 'https://old.test/p',
  isDefault: true,
  rewardType: 'percent',
  commissionPercent: 20,
  commissionCurrency: 'usd',
  daysBeforeReferralsExpire: 60,
  daysBeforeCommissionsAreDue: 30,
  createdAt: at(1),
  ...more,
})

export const affiliate = (more: object = {}) => ({
  externalId: 'aff-1',
  email: 'Ada@Old.test',
  firstName: 'Ada',
  state: 'active',
  confirmedAt: at(2),
  createdAt: at(2),
  campaignId: 'camp-1',
  links: [{ externalId: 'link-1', token: 'Ada-L' }],
  ...more,
})

export const referral = (more: object = {}) => ({
  externalId: 'ref-1',
  affiliateId: 'aff-1',
  campaignId: 'camp-1',
  linkId: 'link-1',
  customerEmail: 'grace@shop.test',
  customerName: 'Grace',
  conversionState: 'conversion',
  becameLeadAt: at(3),
  becameConversionAt: at(4),
  createdAt: at(3),
  ...more,
})

export const commission = (more: object = {}) => ({
  externalId: 'com-1',
  affiliateId: 'aff-1',
  campaignId: 'camp-1',
  currency: 'usd',
  amountCents: 2_000,
  state: 'pending',
  dueAt: at(34),
  createdAt: at(4),
  saleId: 'sale-1',
  referralId: 'ref-1',
  saleAmountCents: 10_000,
  saleRefundedCents: 0,
  saleCurrency: 'usd',
  saleBillingId: 'ch_1',
  saleOccurredAt: at(4),
  saleCreatedAt: at(4),
  ...more,
})

export const payout = (more: object = {}) => ({
  externalId: 'pay-1',
  affiliateId: 'aff-1',
  currency: 'usd',
  amountCents: 2_000,
  state: 'paid',
  paidAt: at(40),
  createdAt: at(35),
  commissionIds: ['com-1'],
  ...more,
})

export type ImportedRecord = {
  kind: string
  externalId: string
  outcome: string
  message: string | null
}

/** Starts an import into a new program. */
export async function beginImport(app: TestApp, name = source) {
  const { startImport } = await app.operator(
    'mutation ($input: StartImportInput!) { startImport(input: $input) { import { program { id name } progress { kind nextPage isDone } } } }',
    { input: { source: name, name: 'Old', url: 'https://old.test', currency: 'usd', since: at(1) } },
  )
  const programId: string = startImport.import.program.id
  const { createApiKey } = await app.operator(
    'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Tests" }) { secret } }',
    { id: programId },
  )
  const take = async (kind: string, records: object[], more: object = {}): Promise<ImportedRecord[]> => {
    const { importRecords } = await app.operator(
      `mutation ($input: ImportRecordsInput!) {
        importRecords(input: $input) { records { kind externalId outcome field message } }
      }`,
      { input: { programId, source: name, kind, records: JSON.stringify(records), isLast: true, ...more } },
    )
    return importRecords.records
  }
  return {
    programId,
    secret: createApiKey.secret as string,
    take,
    /** Imports each kind in turn. A kind that is not given has one record that fits the others. */
    takeAll: async (
      records: Partial<
        Record<'campaigns' | 'affiliates' | 'coupons' | 'referrals' | 'payouts' | 'commissions', object[]>
      >,
    ) => [
      ...(await take('CAMPAIGN', records.campaigns ?? [campaign()])),
      ...(await take('AFFILIATE', records.affiliates ?? [affiliate()])),
      ...(await take('AFFILIATE_LINK', [])),
      ...(await take('AFFILIATE_COUPON', records.coupons ?? [])),
      ...(await take('REFERRAL', records.referrals ?? [referral()])),
      ...(await take('PAYOUT', records.payouts ?? [])),
      ...(await take('COMMISSION', records.commissions ?? [commission()])),
    ],
    finish: async () => {
      const { finishImport } = await app.operator(
        `mutation ($input: FinishImportInput!) { finishImport(input: $input) {
          kinds { kind source here created updated leftOut }
          sums { kind state currency sourceCount sourceCents hereCount hereCents }
          notes { kind isLeftOut note count externalIds }
        } }`,
        { input: { programId, source: name } },
      )
      return finishImport
    },
  }
}

export const outcomes = (records: ImportedRecord[]) =>
  Object.fromEntries(records.map(({ kind, externalId, outcome }) => [`${kind} ${externalId}`, outcome.toLowerCase()]))
