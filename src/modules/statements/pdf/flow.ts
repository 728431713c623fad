import type { Language } from '../../../kernel/languages.ts'
import { type Paper, paper, wrapped } from './paper.ts'

export const left = 50
export const right = paper.width - 50
const top = 70
/** Below are the texts of each page. */
const bottom = paper.height - 110
const lineHeight = 13
const bodySize = 9

/** Writes from the top to the bottom, page after page. @param begin writes what each page has, by its number */
export function flowOn(on: Paper, language: Language, begin: (page: number) => void) {
  let pages = 0
  let y = Number.POSITIVE_INFINITY
  /** Begins a page if there is no room for a line. */
  const need = () => {
    if (y <= bottom) return
    on.addPage()
    pages += 1
    y = top
    begin(pages)
  }
  return {
    gap: () => {
      y += lineHeight
    },
    paragraph(size: number, text: string, isStrong = false) {
      for (const part of wrapped(on, size, right - left, text, language)) {
        need()
        on.text(size, left, y, part, isStrong)
        y += size * 1.4
      }
    },
    /** Texts beside each other. The first of each column is strong. */
    columns(columns: readonly (readonly string[])[]) {
      const width = (right - left) / columns.length
      const wrappedColumns = columns.map((texts) =>
        texts.flatMap((text, index) =>
          wrapped(on, bodySize, width - 12, text, language).map((part) => ({ part, isStrong: index === 0 })),
        ),
      )
      const count = Math.max(...wrappedColumns.map(({ length }) => length))
      for (let line = 0; line < count; line += 1) {
        need()
        wrappedColumns.forEach((column, index) => {
          const found = column[line]
          if (found) on.text(bodySize, left + index * width, y, found.part, found.isStrong)
        })
        y += lineHeight
      }
    },
    /** A line of the table: its amount is beside the beginning of its text. */
    row(number: string, text: string, amount: string, isStrong = false, indent = 28) {
      const width = right - left - indent - on.width(bodySize, amount) - 12
      wrapped(on, bodySize, width, text, language).forEach((part, index) => {
        need()
        if (index === 0) {
          on.line(left, y - lineHeight + 2, right)
          on.text(bodySize, left, y, number)
          on.textTo(bodySize, right, y, amount)
        }
        on.text(bodySize, left + indent, y, part, isStrong)
        y += lineHeight
      })
      y += 3
    },
  }
}
