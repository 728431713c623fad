import type { ReactNode } from 'react'

export type Column<Row> = {
  name: string
  cell(row: Row): ReactNode
  /** Amounts and counts are at the right. */
  isNumber?: boolean
  /** On a phone a cell carries the name of its column, unless it speaks for itself, as a state does. */
  isPlain?: boolean
  /** Whether a phone leaves the cell out. */
  isEmpty?(row: Row): boolean
  className?: string
  /** The field that the list can be sorted by. */
  sort?: string
}

/** The order of a list: "amount" from the smallest, "-amount" from the largest. */
export type Order = string

type TableProps<Row> = {
  /** Says what the rows are. */
  caption: ReactNode
  /** The first column names the row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
  isBusy?: boolean
  order?: Order
  /** Makes the names of sortable columns buttons. */
  onOrder?(order: Order): void
  selection?: Selection
}

/** The keys of the rows that are selected. */
export type Selection = {
  keys: ReadonlySet<string>
  onChange(keys: ReadonlySet<string>): void
  nameOf(key: string): string
}

/** A table. Below 700 pixels each row becomes a card. */
export function Table<Row>({ caption, columns, rows, keyOf, isBusy, order, onOrder, selection }: TableProps<Row>) {
  const keys = rows.map(keyOf)
  return (
    <table className={selection ? 'rows selectable' : 'rows'} aria-busy={isBusy}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {selection && (
            <td className="select">
              <SelectAll keys={keys} selection={selection} />
            </td>
          )}
          {columns.map((column) => (
            <Head key={column.name} column={column} order={order} onOrder={onOrder} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keys[index]}>
            {selection && (
              <td className="select">
                <SelectOne id={keys[index] as string} selection={selection} />
              </td>
            )}
            {columns.map((column, place) => (
              <Cell key={column.name} column={column} row={row} isTitle={place === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell<Row>({ column, row, isTitle }: { column: Column<Row>; row: Row; isTitle: boolean }) {
  const { name, isNumber, isPlain, isEmpty, className } = column
  const classes = [isNumber && 'number', isEmpty?.(row) && 'nothing', className].filter(Boolean).join(' ') || undefined
  if (isTitle)
    return (
      <th scope="row" className={classes}>
        {column.cell(row)}
      </th>
    )
  return (
    <td className={classes} data-name={isNumber || isPlain ? undefined : name}>
      {column.cell(row)}
    </td>
  )
}

type HeadProps<Row> = { column: Column<Row>; order?: Order; onOrder?(order: Order): void }

function Head<Row>({ column: { name, isNumber, className, sort }, order, onOrder }: HeadProps<Row>) {
  const direction = sort && order === sort ? 'ascending' : sort && order === `-${sort}` ? 'descending' : undefined
  return (
    <th scope="col" className={isNumber ? 'number' : className} aria-sort={direction}>
      {sort && onOrder ? (
        <button type="button" className="sort" onClick={() => onOrder(direction === 'descending' ? sort : `-${sort}`)}>
          {name}
        </button>
      ) : (
        name
      )}
    </th>
  )
}

function SelectAll({ keys, selection: { keys: selected, onChange } }: { keys: string[]; selection: Selection }) {
  const count = keys.filter((key) => selected.has(key)).length
  const isAll = keys.length > 0 && count === keys.length
  return (
    <input
      type="checkbox"
      aria-label="Select all rows of this page"
      ref={(box) => {
        if (box) box.indeterminate = count > 0 && !isAll
      }}
      checked={isAll}
      onChange={() => onChange(isAll ? withoutAll(selected, keys) : new Set([...selected, ...keys]))}
    />
  )
}

function SelectOne({ id, selection: { keys, onChange, nameOf } }: { id: string; selection: Selection }) {
  const toggled = () => {
    const next = new Set(keys)
    if (!next.delete(id)) next.add(id)
    return next
  }
  return (
    <input
      type="checkbox"
      aria-label={`Select ${nameOf(id)}`}
      checked={keys.has(id)}
      onChange={() => onChange(toggled())}
    />
  )
}

const withoutAll = (selected: ReadonlySet<string>, keys: readonly string[]) =>
  new Set([...selected].filter((key) => !keys.includes(key)))
