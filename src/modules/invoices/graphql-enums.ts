import type { InvoiceKind, VatTreatment } from '../../generated/prisma/enums.ts'
import { defineEnum, type Words } from '../../graphql/enums.ts'
import type { missingReasons } from './drafts.ts'
import { treatments } from './vat/treatments.ts'
import type { wordKinds } from './vat/words.ts'

export const InvoiceKindEnum = defineEnum('InvoiceKind', 'The kinds of invoices.', {
  invoice: 'An invoice that the program writes in the name of the affiliate.',
  credit_note: 'Corrects an invoice, or cancels it. Its amounts are negative.',
} satisfies Record<InvoiceKind, string>)

export const VatTreatmentEnum = defineEnum(
  'VatTreatment',
  'How value added tax was found. docs/invoices.md has the sources.',
  Object.fromEntries(treatments.map(({ treatment, when }) => [treatment, when])) as Record<VatTreatment, string>,
)

export const MissingInvoiceReasonEnum = defineEnum(
  'MissingInvoiceReason',
  'Why there is no invoice of a statement that earned something.',
  {
    ready: 'Nothing is missing: `createInvoices` makes it.',
    no_agreement: 'The affiliate has not agreed to self-billing.',
    new_version: 'The affiliate has agreed to an earlier version of the text, and not to the one that holds.',
    no_tax_profile: 'The affiliate has signed no tax profile.',
    supplier_vat_id: 'Reverse charge needs the VAT id of the affiliate.',
    buyer_vat_id: 'Reverse charge needs the VAT id of the program: `payerVatId` of the tax settings.',
    nothing_to_correct: 'The sum is negative, and the affiliate has no invoice in this currency that it could correct.',
    cancelled: 'Its invoice was cancelled. `createInvoices` with the `affiliateId` makes it again.',
  } satisfies Words<typeof missingReasons>,
)

export const InvoiceWordKindEnum = defineEnum('InvoiceWordKind', 'The sentences that the law wants on invoices.', {
  self_billing: 'That the buyer has written the invoice.',
  reverse_charge: 'That the buyer owes the value added tax.',
  small_business: 'That the affiliate is a small business that charges none.',
  outside_scope: 'That the service is taxed where the buyer is.',
  private_person: 'That the affiliate is not a taxable person.',
} satisfies Words<typeof wordKinds>)
