import { useContext, useState } from 'react'
import {
  AcceptSelfBillingDocument,
  InvoicePaperDocument,
  InvoicesDocument,
  type InvoicesQuery,
  SelfBillingDocument,
  type SelfBillingOfAffiliateFragment,
} from '../../generated/portal/graphql.ts'
import { formatMoney } from '../parts/format.tsx'
import { formatDate } from '../parts/locale.ts'
import { bytesOfBase64, saveFile } from '../parts/save-file.ts'
import type { Column } from '../parts/table.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { SaveForm, TextField } from './fields.tsx'
import { PagedTable, usePaging } from './paged-table.tsx'
import { QueryError } from './query.ts'
import { texts } from './texts.ts'
import { QueryContext, useQuery } from './use-query.ts'
import { useSave } from './use-save.ts'

type Invoice = InvoicesQuery['me']['invoices']['nodes'][number]
type Agreement = NonNullable<SelfBillingOfAffiliateFragment['selfBilling']>

const columnsOf = ({ columns, kinds }: typeof texts.invoices): Column<Invoice>[] => [
  { name: columns.number, cell: ({ number }) => number },
  { name: columns.kind, cell: ({ kind, isCancelled }) => kinds[isCancelled ? 'CANCELLED' : kind] },
  { name: columns.month, cell: ({ month }) => month },
  { name: columns.issued, cell: ({ issuedOn }) => issuedOn },
  { name: columns.total, cell: ({ grossCents, currency }) => formatMoney(grossCents, currency), isNumber: true },
  { name: columns.file, cell: (invoice) => <Paper invoice={invoice} />, isPlain: true },
]

/** The agreement to self-billing, and the invoices. Nothing is shown for programs that make no invoices. */
export default function Invoices() {
  const words = texts.invoices
  const { data, failure, retry } = useQuery(SelfBillingDocument, {})
  const paging = usePaging()
  const query = useQuery(InvoicesDocument, paging.variables)
  const agreement = data?.me.selfBilling
  const isNeeded = agreement || (query.data?.me.invoices.totalCount ?? 0) > 0
  if (!failure && !isNeeded) return null
  return (
    <section aria-labelledby="invoices">
      <h2 id="invoices">{words.title}</h2>
      {failure && <FailureNotice failure={failure} onRetry={retry} />}
      {agreement && <SelfBilling key={agreement.agreedAt} agreement={agreement} onAgreed={retry} />}
      {isNeeded && (
        <PagedTable
          words={words}
          columns={columnsOf(words)}
          connection={query.data?.me.invoices}
          query={query}
          paging={paging}
          emptyText={words.empty}
        />
      )}
    </section>
  )
}

/** The text of self-billing, which the affiliate agrees to by name. */
function SelfBilling({ agreement, onAgreed }: { agreement: Agreement; onAgreed(): void }) {
  const words = texts.invoices.agreement
  const { version, text, isAgreed, agreedAt, signedName, agreedVersion } = agreement
  const saving = useSave(
    AcceptSelfBillingDocument,
    ({ signedName: name }) => ({ input: { version, signedName: name ?? '' } }),
    () => {
      onAgreed()
      return texts.forms.saved
    },
  )
  if (isAgreed && agreedAt)
    return (
      <details>
        <summary>
          {signedName === null ? words.show : words.agreed(signedName, formatDate(agreedAt, { dateStyle: 'medium' }))}
        </summary>
        <p className="terms-text">{text}</p>
      </details>
    )
  return (
    <>
      <p className="quiet">{texts.invoices.lead}</p>
      {agreedVersion !== null && <p className="notice">{words.changed}</p>}
      <h3>{words.title}</h3>
      <SaveForm saving={saving} action={words.accept}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
        <section className="terms-text" aria-label={words.region} tabIndex={0}>
          {text}
        </section>
        <TextField
          name="signedName"
          label={words.signedName}
          hint={words.hint}
          autoComplete="name"
          problem={saving.problems.signedName}
        />
      </SaveForm>
    </>
  )
}

function Paper({ invoice: { id, number } }: { invoice: Invoice }) {
  const runQuery = useContext(QueryContext)
  const [status, setStatus] = useState('')
  const save = async () => {
    setStatus('')
    try {
      const { me } = await runQuery(InvoicePaperDocument, { id })
      const name = number.replace(/[^\p{L}\p{N}._-]+/gu, '-')
      if (me.invoice) saveFile(`${name}.pdf`, 'application/pdf', bytesOfBase64(me.invoice.pdf))
    } catch (error) {
      setStatus(texts.failures[error instanceof QueryError ? error.failure : 'unreachable'])
    }
  }
  return (
    <>
      <button type="button" onClick={() => void save()}>
        PDF<span className="unseen"> ({number})</span>
      </button>
      <span role="status">{status}</span>
    </>
  )
}
