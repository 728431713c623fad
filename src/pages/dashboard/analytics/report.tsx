import { type ReactNode, useEffect, useState } from 'react'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { writeLink } from '../../parts/query-link.ts'
import { fileName, writeCsv } from '../../parts/result/spreadsheet.ts'
import { findTables, type Table } from '../../parts/result/tables.ts'
import { saveFile } from '../../parts/save-file.ts'
import { serviceAddress } from '../address.ts'
import { type Document, useData } from '../api/use-data.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const words = texts.analytics

type ReportProps<Data, Variables> = {
  title: string
  lead?: string
  document: Document<Data, Variables>
  variables: Variables
  /** How GraphiQL shows the result first. */
  view: 'table' | 'chart'
  /** Chooses the table of the CSV file, if the result has several. */
  table?(tables: readonly Table[]): Table | undefined
  actions?: ReactNode
  isEmpty?(data: Data): boolean
  /** What is said then. By default, that the range has nothing. */
  empty?: { title: string; text: string }
  children(data: Data): ReactNode
}

const nothingInRange = { title: words.none, text: words.noneText }

/** The result of one query, as a file too, and with a way to the query itself. */
export function Report<Data, Variables extends object>(props: ReportProps<Data, Variables>) {
  const { title, lead, document, variables, actions, empty = nothingInRange, children } = props
  const { data, failure, isLoading, retry } = useData(document, variables)
  const isEmpty = data !== undefined && props.isEmpty?.(data) === true
  return (
    <Card
      title={title}
      lead={lead}
      className="report"
      actions={
        <>
          {actions}
          <CsvButton {...props} data={isEmpty || isLoading ? undefined : data} />
          <GraphiqlLink {...props} />
        </>
      }
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton lines={6} />}
      {data && !failure && <div aria-busy={isLoading}>{isEmpty ? <Empty {...empty} /> : children(data)}</div>}
    </Card>
  )
}

type CsvButtonProps<Data> = { title: string; table?(tables: readonly Table[]): Table | undefined; data?: Data }

/** The same file as that of GraphiQL: amounts in major units with their currency, rates as fractions. */
function CsvButton<Data>({ title, table: choose, data }: CsvButtonProps<Data>) {
  const { program } = useProgram()
  const save = () => {
    const tables = findTables(data)
    const table = choose?.(tables) ?? tables[0]
    if (!table) return
    const { columns, rows } = withoutEmptyColumns(table)
    saveFile(fileName(`${program.slug} ${title}`, 'csv', new Date()), 'text/csv', writeCsv(columns, rows))
  }
  return (
    <button type="button" disabled={data === undefined} onClick={save}>
      {words.csv}
      <span className="unseen"> {title}</span>
    </button>
  )
}

/** A metric is either money or a number, so the columns of the other are empty. */
function withoutEmptyColumns({ columns, rows }: Table): Pick<Table, 'columns' | 'rows'> {
  const isKept = columns.map(({ kind }) => kind !== 'empty')
  return {
    columns: columns.filter((_, index) => isKept[index]),
    rows: rows.map((row) => row.filter((_, index) => isKept[index])),
  }
}

type GraphiqlLinkProps<Data, Variables> = Pick<
  ReportProps<Data, Variables>,
  'title' | 'document' | 'variables' | 'view'
>

/** GraphiQL opens with the query and its variables, signed in as the person. */
function GraphiqlLink<Data, Variables>({ title, document, variables, view }: GraphiqlLinkProps<Data, Variables>) {
  const { program } = useProgram()
  const [fragment, setFragment] = useState('')
  const query = `# ${title}\n# view: ${view}\n${document.toString().trim()}`
  const values = JSON.stringify(variables, null, 2)
  useEffect(() => {
    let isCurrent = true
    void writeLink({ query, variables: values }).then((link) => isCurrent && setFragment(link))
    return () => {
      isCurrent = false
    }
  }, [query, values])
  return (
    <a
      className="button"
      href={`${serviceAddress('graphql')}?program=${program.slug}${fragment}`}
      target="_blank"
      rel="noreferrer"
    >
      {words.graphiql}
      <span className="unseen"> {title}</span>
    </a>
  )
}
