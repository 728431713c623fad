import { isObjectType } from 'graphql'
import { expect, it } from 'vitest'
import { publicSchema } from '../../src/schema/schema.ts'

/** Ids that are not of records of the schema: of billing systems, payment services, tax offices, public keys, requests. */
const foreign =
  /^(taxId|usTaxId|maskedTaxId|maskedUsTaxId|payerTaxId|vatId|payerVatId|hasSupplierTaxId|externalId|externalIds|saleExternalId|importedId|billingCustomerId|productIds?|requestId|serviceId|keyId)$/

/** Ids without the record beside them, and why. */
const reasons: Record<string, string> = {
  'CommissionRuleOfSale.ruleId': 'The rule of then; its name is beside it.',
  'CommissionRuleRunnerUp.ruleId': 'The rule of then; its name is beside it.',
  'ExplanationLine.ruleId': 'The rule of then; its name is beside it.',
  'Event.subjectId': 'Events outlive their subject; `data` is its state, and `node` finds it.',
  'FailedRequest.apiKeyId': 'Only people who manage keys read them; the name is beside it.',
  'Finding.programId': 'A finding of the operator can be of any program.',
  'Finding.rowId': 'A row of any table, in or out of the schema.',
  'InstallationHistoryEntry.subjectId': 'A program or a person, who may be gone; the name is beside it.',
  'ReconciliationDifference.subjectId': 'A sale, a payment or an event; the text says which.',
  'ReportGrant.programId': 'The argument of the query, which the operator names.',
  'RulePlan.planId': 'A plan is not kept: the id identifies what it would change.',
  'UnattributedSale.referralId': 'A text as it was reported; often no referral has it.',
}

/** What is gone has no record. */
const isOfDeleted = (name: string) => name.startsWith('deleted') || name.startsWith('erased')

const withoutRecord = () =>
  Object.values(publicSchema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__') && name !== 'Mutation')
    .flatMap((type) => {
      const names = Object.keys(type.getFields())
      const hasRecord = (id: string) => {
        const record = id.replace(/Id(s?)$/, '$1')
        if (names.includes(record)) return true
        // A report has one of four, and that of what is owed only affiliates.
        return id === 'subjectId' && names.includes('label') && names.includes('affiliate')
      }
      return names
        .filter((name) => /[a-z]Ids?$/.test(name) && !foreign.test(name) && !isOfDeleted(name))
        .filter((name) => !hasRecord(name))
        .map((name) => `${type.name}.${name}`)
    })

it('each id of a record has the record beside it', () => {
  expect(withoutRecord().sort()).toEqual(Object.keys(reasons).sort())
})
