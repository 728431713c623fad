import { type ReactNode, useState } from 'react'
import { formatNumber } from '../../parts/locale.ts'
import { texts } from '../texts.ts'

const step = 50

/** The first rows of a list that is loaded as a whole, and a button for more of them. */
export function useMore<Row>(all: readonly Row[]): {
  all: readonly Row[]
  shown: readonly Row[]
  button: ReactNode
} {
  const [size, setSize] = useState(step)
  const button = all.length > size && (
    <button type="button" onClick={() => setSize(size + step)}>
      {texts.shadow.more}
    </button>
  )
  return { all, shown: all.slice(0, size), button }
}

export const someOf = (shown: number, all: number): string => texts.shadow.some(formatNumber(shown), formatNumber(all))
