import { z } from 'zod'
import { country } from '../../kernel/input/country.ts'
import {
  clearable,
  described,
  flag,
  oneOf,
  optional,
  reference,
  required,
  shownName,
  text,
  unchangedIfAbsent,
  wholeNumber,
} from '../../kernel/input/fields.ts'
import { listed } from '../../kernel/input/lists.ts'
import { monthInput } from '../statements/input.ts'
import { wordKinds } from './vat/words.ts'

export const publishSelfBillingInput = z.object({
  text: required(
    described(
      text(20_000),
      'What affiliates agree to: that the company of the program issues the invoices for what they supply.',
    ),
  ),
})

export const acceptSelfBillingInput = z.object({
  version: required(
    described(wholeNumber(1, 2_147_483_647), 'The version that the affiliate has read: `selfBilling { version }`.'),
  ),
  signedName: required(described(shownName(255), 'The name of the person who agrees.')),
})

export const invoiceWordInput = z.object({
  country: required(described(country(), 'The country of the affiliates.')),
  kind: required(described(oneOf('InvoiceWordKind', wordKinds), 'Which sentence.')),
  text: required(described(shownName(500), 'The sentence. Separate those of several languages by ` / `.')),
})

const mostWords = 200

export const updateInvoiceSettingsInput = z.object({
  numberPrefix: clearable(
    described(
      shownName(20),
      'What numbers of invoices begin with: with `AFF-`, the first one of 2026 is `AFF-2026-0001`.',
      { example: 'AFF-' },
    ),
  ),
  isVatIncluded: unchangedIfAbsent(
    described(
      flag(),
      'Whether commissions include value added tax. Otherwise it is added to them where it is due, and paid as a correction.',
    ),
  ),
  words: unchangedIfAbsent(
    described(
      listed('InvoiceWordInput', invoiceWordInput, mostWords),
      'The sentences of invoices that replace the default ones. They replace all that were given before.',
    ),
  ),
})

export const createInvoicesInput = z.object({
  month: monthInput,
  affiliateId: optional(
    described(reference(), 'Only for this affiliate. Also makes the invoices of the month again that were cancelled.'),
  ),
})

export const missingInvoicesInput = z.object({ month: monthInput })

export const cancelInvoiceInput = z.object({
  id: required(described(reference(), 'The id of the invoice.')),
  reason: required(described(text(1_000), 'Why it is cancelled. It is on the credit note.')),
})

export const readInvoicePdfInput = z.object({
  id: required(described(reference(), 'The id of the invoice.')),
  reason: required(
    described(text(900), 'Why the tax id is read. It is in the history of the affiliate.', { example: 'Bookkeeping' }),
  ),
})
