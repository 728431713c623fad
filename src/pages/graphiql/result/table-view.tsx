import { useMemo } from 'react'
import { type Column, rowsIn, type Sorting, type Table } from '../../parts/result/tables.ts'
import { amountOf, textOf, type Value } from '../../parts/result/values.ts'

/** More rows would make the browser slow. Exports contain all rows. */
const maxRows = 2_000

type Props = { table: Table; sorting: Sorting | undefined; onSort: (sorting: Sorting | undefined) => void }

export function TableView(props: Props) {
  return props.table.isRecord ? <RecordView table={props.table} /> : <ListView {...props} />
}

function ListView({ table, sorting, onSort }: Props) {
  const { name, columns, rows, shaded } = table
  const shadeOf = useMemo(() => shadesOf(table), [table])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section className="table-view" aria-label={name} tabIndex={0}>
      <table>
        <caption>
          {name}: {rowsIn(table)}
          {rows.length > maxRows && ` (showing the first ${maxRows}; exports contain all)`}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading
                key={column.name}
                column={column}
                // The caption names the measure of a grid.
                label={shaded?.has(column.name) ? column.name.replace(/ \S+$/, '') : column.name}
                sorting={sorting}
                onSort={onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxRows).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids and no state
            <tr key={index}>
              {row.map((value, at) => (
                <Cell
                  key={columns[at]?.name}
                  value={value}
                  column={columns[at] as Column}
                  shade={shadeOf(value, columns[at] as Column)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

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

/** The strongest shade, in per cent. The text stays readable on it. */
const strongestShade = 45

/**
 * Returns how strongly a cell of a grid is shaded: in proportion to the largest value, so that a pattern is seen at
 * once.
 */
function shadesOf({ columns, rows, shaded }: Table): (value: Value, column: Column) => number | undefined {
  if (!shaded) return () => undefined
  const isShaded = columns.map(({ name }) => shaded.has(name))
  const amounts = rows.flatMap((row) => row.flatMap((value, at) => (isShaded[at] ? [amountOf(value) ?? 0] : [])))
  const largest = amounts.reduce((one, other) => Math.max(one, other), 0)
  return (value, { name }) => {
    const amount = amountOf(value)
    if (!shaded.has(name) || amount === null || largest === 0) return undefined
    return Math.round((Math.max(0, amount) / largest) * strongestShade)
  }
}

const isNumeric = ({ kind }: Column) => kind === 'number' || kind === 'rate' || kind === 'money'

/** The first click sorts ascending, the second descending, the third restores the order of the result. */
function nextSorting(column: string, sorting: Sorting | undefined): Sorting | undefined {
  if (sorting?.column !== column) return { column, descending: false }
  return sorting.descending ? undefined : { column, descending: true }
}

type HeadingProps = { column: Column; label: string; sorting: Sorting | undefined; onSort: Props['onSort'] }

function Heading({ column, label, sorting, onSort }: HeadingProps) {
  const own = sorting?.column === column.name ? sorting : undefined
  return (
    <th
      scope="col"
      className={isNumeric(column) ? 'numeric' : undefined}
      aria-sort={own ? (own.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" onClick={() => onSort(nextSorting(column.name, sorting))}>
        {label}
        <span aria-hidden="true" className="arrow">
          {own ? (own.descending ? '↓' : '↑') : ''}
        </span>
      </button>
    </th>
  )
}

function Cell({ value, column, shade }: { value: Value; column: Column; shade?: number }) {
  const className = isNumeric(column) ? 'numeric' : undefined
  if (value.kind === 'empty') return <td className={`empty ${className ?? ''}`}>–</td>
  if (value.kind !== 'date') {
    const style =
      shade === undefined ? undefined : { backgroundColor: `color-mix(in srgb, var(--shade) ${shade}%, var(--paper))` }
    return (
      <td className={className} style={style}>
        {textOf(value)}
      </td>
    )
  }
  return (
    <td className={className}>
      <time dateTime={value.iso} title={value.iso}>
        {textOf(value)}
      </time>
    </td>
  )
}
