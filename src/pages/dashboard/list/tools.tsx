import { useState } from 'react'
import type { Column } from '../../parts/table.tsx'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Menu, MenuCheck } from '../ui/menu.tsx'
import { choosable, keyOf, shownColumns, withColumn } from './columns.ts'
import { Export } from './export.tsx'
import type { ListProps } from './props.ts'
import type { ListState } from './use-list-state.ts'

const words = texts.list

type ToolsProps<Data, Variables, Node> = {
  list: ListProps<Data, Variables, Node>
  state: ListState
}

/** Which columns a list shows, in which order on a phone, and the file of it. */
export function Tools<Data, Variables extends object, Node>({ list, state }: ToolsProps<Data, Variables, Node>) {
  const { columns } = list
  const { search, filter } = state
  const [isExporting, setExporting] = useState(false)
  const shown = shownColumns(columns, search)
  const all = choosable(columns)
  const close = () => setExporting(false)
  if (!columns.some(({ csv }) => csv)) return null
  return (
    <div className="list-tools">
      <PhoneOrder columns={shown} state={state} />
      {all.length > 1 && (
        <Menu label={words.columns} className="plain" align="end">
          {all.map((column) => (
            <MenuCheck
              key={keyOf(column)}
              isChecked={shown.includes(column)}
              onChange={() => filter({ columns: withColumn(columns, search, column) })}
            >
              {column.name}
            </MenuCheck>
          ))}
        </Menu>
      )}
      <button type="button" className="plain" onClick={() => setExporting(true)}>
        {words.export.button}
      </button>
      <Dialog title={words.export.title} isOpen={isExporting} onClose={close}>
        <Export list={list} columns={shown} search={search} onDone={close} />
      </Dialog>
    </div>
  )
}

/** A phone shows no heads of columns to sort by. */
function PhoneOrder<Node>({ columns, state }: { columns: readonly Column<Node>[]; state: ListState }) {
  const orders = columns.flatMap(({ name, sort }) =>
    sort === undefined
      ? []
      : [
          { value: `-${sort}`, name: words.descending(name) },
          { value: sort, name: words.ascending(name) },
        ],
  )
  if (orders.length === 0) return null
  return (
    <label className="filter phone-only">
      <span className="unseen">{words.order}</span>
      <select
        value={state.search.order ?? ''}
        onChange={({ target }) => state.filter({ order: target.value || undefined })}
      >
        <option value="">{words.order}</option>
        {orders.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
