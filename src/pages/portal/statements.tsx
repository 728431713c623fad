import { useContext, useState } from 'react'
import {
  StatementFileDocument,
  StatementPaperDocument,
  StatementsDocument,
  type StatementsQuery,
} from '../../generated/portal/graphql.ts'
import { formatMoney } from '../parts/format.tsx'
import { bytesOfBase64, saveFile } from '../parts/save-file.ts'
import type { Column } from '../parts/table.tsx'
import { PagedTable, usePaging } from './paged-table.tsx'
import { QueryError } from './query.ts'
import { texts } from './texts.ts'
import { QueryContext, useQuery } from './use-query.ts'

type Statement = StatementsQuery['me']['statements']['nodes'][number]

const columnsOf = ({ columns }: typeof texts.statements): Column<Statement>[] => [
  { name: columns.month, cell: ({ month }) => month },
  { name: columns.opening, cell: ({ openingCents, currency }) => formatMoney(openingCents, currency), isNumber: true },
  { name: columns.closing, cell: ({ closingCents, currency }) => formatMoney(closingCents, currency), isNumber: true },
  { name: columns.files, cell: (statement) => <Files statement={statement} />, isPlain: true },
]

/** Closed months, each with the file that proves itself, and with its paper. */
export function Statements() {
  const words = texts.statements
  const paging = usePaging()
  const query = useQuery(StatementsDocument, paging.variables)
  return (
    <section aria-labelledby="statements">
      <h2 id="statements">{words.title}</h2>
      {query.data?.me.program.isSandbox && (
        <p>
          <strong>{words.sandbox}</strong>
        </p>
      )}
      <PagedTable
        words={words}
        columns={columnsOf(words)}
        connection={query.data?.me.statements}
        query={query}
        paging={paging}
        emptyText={words.empty}
      />
      {(query.data?.me.statements.totalCount ?? 0) > 0 && (
        <p className="quiet">
          {words.hint}{' '}
          <a href="../verify" target="_blank" rel="noreferrer">
            {words.verify}
          </a>
        </p>
      )}
    </section>
  )
}

function Files({ statement: { id, month, currency } }: { statement: Statement }) {
  const runQuery = useContext(QueryContext)
  const [status, setStatus] = useState('')
  const name = `statement-${month}-${currency}`
  const save = (load: () => Promise<void>) => async () => {
    setStatus('')
    await load().catch((error: unknown) =>
      setStatus(texts.failures[error instanceof QueryError ? error.failure : 'unreachable']),
    )
  }
  const saveJson = save(async () => {
    const { me } = await runQuery(StatementFileDocument, { id })
    if (me.statement) saveFile(`${name}.json`, 'application/json', me.statement.json)
  })
  const savePdf = save(async () => {
    const { me } = await runQuery(StatementPaperDocument, { id })
    if (me.statement) saveFile(`${name}.pdf`, 'application/pdf', bytesOfBase64(me.statement.pdf))
  })
  return (
    <>
      <button type="button" onClick={saveJson}>
        JSON<span className="unseen"> ({month})</span>
      </button>{' '}
      <button type="button" onClick={savePdf}>
        PDF<span className="unseen"> ({month})</span>
      </button>
      <span role="status">{status}</span>
    </>
  )
}
