import { baseFields, cents, counter, currency, flag, id, one, text, word } from '../../listing/listing.ts'
import { defineListing } from '../../listing/registry.ts'

const { id: idField, createdAt } = baseFields

export const invoiceListing = defineListing({
  noun: 'Invoice',
  model: 'invoice',
  forAffiliate: true,
  fields: {
    id: idField,
    createdAt,
    kind: word('kind', 'InvoiceKind'),
    number: text('number'),
    year: counter('year'),
    month: text('month'),
    issuedOn: text('issuedOn'),
    currency: currency('currency'),
    netCents: cents('netCents'),
    vatCents: cents('vatCents'),
    grossCents: cents('grossCents'),
    vatTreatment: word('vatTreatment', 'VatTreatment'),
    isCancellation: flag('isCancellation'),
    affiliateId: id('affiliateId'),
    affiliate: one('affiliate', 'Affiliate'),
    statementId: id('statementId'),
    correctsId: id('correctsId', { nullable: true }),
  },
  orders: {},
  numbers: {},
  kept: null,
  groups: [],
})
