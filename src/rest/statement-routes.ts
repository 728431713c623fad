import { listStatementsInput } from '../modules/statements/input.ts'
import { taxTotalsInput } from '../modules/tax/input/totals.ts'
import { list, type Route, read } from './route.ts'

const tag = 'Statements'

const own = { isOwnEndpoint: true, isOfSuperset: true } as const

/** Statements, invoices and totals of years are our own. The path of a file comes before that of an id. */
export const statementRoutes: readonly Route[] = [
  { ...list('/statements', 'Query.statements', tag, listStatementsInput), ...own },
  {
    ...read('/statements/{id}.json', 'Query.statementJson', tag, 'statement'),
    ...own,
    summary: 'Read a statement as a file that can be verified',
  },
  {
    ...read('/statements/{id}.pdf', 'Query.statementPdf', tag, 'statement'),
    ...own,
    isFile: true,
    summary: 'Read a statement as a PDF file',
  },
  { ...read('/statements/{id}', 'Query.statement', tag, 'statement'), ...own },
  {
    ...read('/invoices/{id}.pdf', 'Query.invoicePdf', 'Invoices', 'invoice'),
    ...own,
    isFile: true,
    summary: 'Read a self-billing invoice or a credit note as a PDF file',
  },
  {
    method: 'GET',
    path: '/tax_totals.csv',
    operation: 'Query.taxTotalsFile',
    status: 200,
    input: taxTotalsInput,
    failure: 'Could not read the totals.',
    isFile: true,
    ...own,
    tag: 'Taxes',
    summary: 'Read what affiliates were paid in a year, as CSV',
  },
]
