/** A self-billing invoice or a credit note on paper. The other languages are typed as this one. */
export const invoice = {
  kinds: { invoice: 'Invoice', credit_note: 'Credit note' },
  title: (kind: string, number: string) => `${kind} ${number}`,
  supplier: 'Supplier',
  buyer: 'Customer',
  number: 'Number',
  issuedOn: 'Date of issue',
  month: 'Month of the service',
  vatId: (id: string) => `VAT id: ${id}`,
  taxId: (id: string) => `Tax number: ${id}`,
  corrects: (number: string, day: string) => `Corrects ${number} of ${day}`,
  cancels: (number: string, day: string) => `Cancels ${number} of ${day}`,
  reason: 'Reason',
  details: (statement: number, month: string) => `Statement ${statement} of ${month} has the details.`,
  net: 'Net amount',
  vat: (percent: string) => `VAT ${percent}`,
  total: 'Total',
  isIncluded: 'The amounts of the lines include VAT.',
  page: (title: string, page: number) => `${title}, page ${page}`,
  sandbox: 'This is a document of a sandbox. It is not valid: nothing was supplied or is owed.',
  sandboxPage: (page: string) => `${page}, sandbox, not valid`,
}

export type InvoiceTexts = typeof invoice
