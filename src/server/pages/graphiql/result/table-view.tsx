import type { Column, Sorting, Table } from './tables.ts'
import { textOf, type Value } from './values.ts'

/** More rows would make the browser slow. Exports contain all rows. */
const maxRows = 2_000

type Props = { table: Table; sorting: Sorting | undefined; onSort: (sorting: Sorting | undefined) => void }

export function TableView({ table, sorting, onSort }: Props) {
  if (table.isRecord) return <RecordView table={table} />
  const { name, columns, rows } = table
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section className="table-view" aria-label={name} tabIndex={0}>
      <table>
        <caption>
          {name}: {countOf(table)}
          {rows.length > maxRows && ` (showing the first ${maxRows}; exports contain all)`}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.name} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxRows).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids and no state
            <tr key={index}>
              {row.map((value, at) => (
                <Cell key={columns[at]?.name} value={value} column={columns[at] as Column} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const countOf = ({ rows, total = rows.length }: Table) =>
  total > rows.length ? `${rows.length} of ${total} rows` : `${rows.length} ${total === 1 ? 'row' : 'rows'}`

function RecordView({ table: { name, columns, rows } }: { table: Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section className="table-view record" aria-label={name} tabIndex={0}>
      <table>
        <caption>{name}</caption>
        <tbody>
          {columns.map((column, index) => (
            <tr key={column.name}>
              <th scope="row">{column.name}</th>
              <Cell value={rows[0]?.[index] ?? { kind: 'empty' }} column={column} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const isNumeric = ({ kind }: Column) => kind === 'number' || kind === 'money'

/** The first click sorts ascending, the second descending, the third restores the order of the result. */
function nextSorting(column: string, sorting: Sorting | undefined): Sorting | undefined {
  if (sorting?.column !== column) return { column, descending: false }
  return sorting.descending ? undefined : { column, descending: true }
}

type HeadingProps = { column: Column; sorting: Sorting | undefined; onSort: Props['onSort'] }

function Heading({ column, sorting, onSort }: HeadingProps) {
  const own = sorting?.column === column.name ? sorting : undefined
  return (
    <th
      scope="col"
      className={isNumeric(column) ? 'numeric' : undefined}
      aria-sort={own ? (own.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" onClick={() => onSort(nextSorting(column.name, sorting))}>
        {column.name}
        <span aria-hidden="true" className="arrow">
          {own ? (own.descending ? '↓' : '↑') : ''}
        </span>
      </button>
    </th>
  )
}

function Cell({ value, column }: { value: Value; column: Column }) {
  const className = isNumeric(column) ? 'numeric' : undefined
  if (value.kind === 'empty') return <td className="empty">–</td>
  if (value.kind !== 'date') return <td className={className}>{textOf(value)}</td>
  return (
    <td className={className}>
      <time dateTime={value.iso} title={value.iso}>
        {textOf(value)}
      </time>
    </td>
  )
}
