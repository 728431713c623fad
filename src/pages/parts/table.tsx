import { type MouseEvent, type ReactNode, useRef } from 'react'

/** What a file has in a cell. */
export type FileValue = string | number | boolean | null | undefined | { cents: number | bigint; currency: string }

export type Column<Row> = {
  name: string
  /** What distinguishes it from other columns. By default the name. */
  key?: string
  cell(row: Row): ReactNode
  /** Amounts and counts are at the right. A phone has the number of a row in a corner; several carry their names. */
  isNumber?: boolean
  /** On a phone a cell carries the name of its column, unless it speaks for itself, as a state does. */
  isPlain?: boolean
  /** Whether a phone leaves the cell out. */
  isEmpty?(row: Row): boolean
  className?: string
  /** The field that the list can be sorted by. */
  sort?: string
  /**
   * What a file has of the row, in one column or in several by their names. Without it, the file leaves the column out.
   */
  csv?: ((row: Row) => FileValue) | Readonly<Record<string, (row: Row) => FileValue>>
  /** Whether a list shows it only to those who choose it. */
  isExtra?: boolean
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
  const hasCorner = columns.filter(({ isNumber }) => isNumber).length === 1
  const last = useRef<string>(undefined)
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
            <Head key={column.key ?? column.name} column={column} order={order} onOrder={onOrder} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keys[index]} onClick={openRow}>
            {selection && (
              <td className="select">
                <SelectOne id={keys[index] as string} keys={keys} last={last} selection={selection} />
              </td>
            )}
            {columns.map((column, place) => (
              <Cell
                key={column.key ?? column.name}
                column={column}
                row={row}
                isTitle={place === 0}
                hasCorner={hasCorner}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type CellProps<Row> = { column: Column<Row>; row: Row; isTitle: boolean; hasCorner: boolean }

function Cell<Row>({ column, row, isTitle, hasCorner }: CellProps<Row>) {
  const { name, isNumber, isPlain, isEmpty, className } = column
  const isCorner = isNumber && hasCorner
  const classes =
    [isNumber && 'number', isCorner && 'corner', isEmpty?.(row) && 'nothing', className].filter(Boolean).join(' ') ||
    undefined
  if (isTitle)
    return (
      <th scope="row" className={classes}>
        {column.cell(row)}
      </th>
    )
  return (
    <td className={classes} data-name={isCorner || isPlain ? undefined : name}>
      {column.cell(row)}
    </td>
  )
}

/** A click beside the links and buttons of a row opens what the row is about. */
function openRow({ target, currentTarget }: MouseEvent<HTMLTableRowElement>) {
  if ((target as Element).closest('a, button, input, label, summary, details')) return
  if (window.getSelection()?.type === 'Range') return
  const link = currentTarget.querySelector<HTMLElement>('a.opens') ?? currentTarget.querySelector<HTMLElement>('th a')
  link?.click()
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

/** Selects the rows of a page. */
type SelectAllProps = { keys: string[]; selection: Selection; label?: string }

export function SelectAll({
  keys,
  selection: { keys: selected, onChange },
  label = 'Select all rows of this page',
}: SelectAllProps) {
  const count = keys.filter((key) => selected.has(key)).length
  const isAll = keys.length > 0 && count === keys.length
  return (
    <input
      type="checkbox"
      aria-label={label}
      ref={(box) => {
        if (box) box.indeterminate = count > 0 && !isAll
      }}
      checked={isAll}
      onChange={() => onChange(isAll ? withoutAll(selected, keys) : new Set([...selected, ...keys]))}
    />
  )
}

type SelectOneProps = { id: string; keys: string[]; last: { current: string | undefined }; selection: Selection }

/** With Shift, all rows from the last one that was changed become as this one. */
function SelectOne({ id, keys, last, selection: { keys: selected, onChange, nameOf } }: SelectOneProps) {
  function toggle(isRange: boolean) {
    const from = isRange ? keys.indexOf(last.current ?? id) : -1
    const to = keys.indexOf(id)
    const changed = from < 0 ? [id] : keys.slice(Math.min(from, to), Math.max(from, to) + 1)
    last.current = id
    onChange(selected.has(id) ? withoutAll(selected, changed) : new Set([...selected, ...changed]))
  }
  return (
    <input
      type="checkbox"
      aria-label={`Select ${nameOf(id)}`}
      checked={selected.has(id)}
      onChange={({ nativeEvent }) => toggle((nativeEvent as globalThis.MouseEvent).shiftKey === true)}
    />
  )
}

const withoutAll = (selected: ReadonlySet<string>, keys: readonly string[]) =>
  new Set([...selected].filter((key) => !keys.includes(key)))
