import { type Cells, type Layout, relatedCells, type StoredPart, StoredRow } from '../../kernel/stored-row.ts'
import { compileFunction } from './values.ts'

/** A field of a row: its value, as JavaScript, and where it is in the row. */
export type Part = { value: string } & (
  | { kind: 'column'; index: number; type: string }
  | { kind: 'row'; idIndex: number | null; parts: Parts }
  | { kind: 'rows'; index: number; parts: Parts }
  | { kind: 'value' }
)

/** The fields of a row, in the order of Prisma's object. */
export type Parts = ReadonlyMap<string, Part>

export const objectOf = (parts: Parts): string => `{${[...parts].map(([name, { value }]) => `${name}:${value}`)}}`

/** How rows are read that stay as they were sent. */
export function layoutOf(parts: Parts, isJson = false): Layout {
  class Row extends StoredRow {
    override readonly layout = layout
  }
  const own = new Map([...parts].map(([name, part]): [string, StoredPart] => [name, storedPart(part, isJson)]))
  const layout: Layout = { isJson, parts: own, rowOf: (cells) => new Row(cells) }
  for (const [name, part] of own) {
    const get = getterOf(part, (parts.get(name) as Part).value, isJson)
    Object.defineProperty(Row.prototype, name, {
      get(this: StoredRow) {
        return get(this.cells)
      },
    })
  }
  return layout
}

function storedPart(part: Part, isJson: boolean): StoredPart {
  if (part.kind === 'row') return { ...part, layout: layoutOf(part.parts, isJson) }
  return part.kind === 'rows' ? { ...part, layout: layoutOf(part.parts, true) } : part
}

function getterOf(part: StoredPart, value: string, isJson: boolean): (cells: Cells) => unknown {
  if (part.kind === 'row') {
    const { idIndex, layout } = part
    return (cells) => (idIndex !== null && cells[idIndex] === null ? null : layout.rowOf(cells))
  }
  if (part.kind === 'rows') {
    const { index, layout } = part
    return (cells) => relatedCells(cells[index], isJson).map(layout.rowOf)
  }
  let read: ((cells: Cells) => unknown) | undefined
  return (cells) => {
    read ??= compileFunction<Cells>('row', value)
    return read(cells)
  }
}
