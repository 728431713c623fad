import { z } from 'zod'
import { clearable, percent } from '../../../kernel/input/fields.ts'
import { readDecimal, writeDecimal } from '../../parts/amount.ts'
import { checkInput } from './check-input.ts'

const field = z.object({ percent: clearable(percent()) })

/** What is wrong with a percentage that is typed into a field. Empty is right. */
export const percentProblem = (typed: string): string | undefined => checkPercent({ percent: read(typed) }).percent
const checkPercent = checkInput<{ percent: string }>(field)

/** With the decimal mark of the language, or a point. */
const read = (typed: string): string => readDecimal(typed) ?? typed

/** A percentage that was checked, in hundredths of a percent. Null if it is empty. */
export const basisPointsOf = (typed: string): number | null => field.parse({ percent: read(typed) }).percent ?? null

/** Hundredths of a percent as they are typed in the language. */
export const percentText = (basisPoints: number | null): string =>
  basisPoints === null ? '' : writeDecimal(String(basisPoints / 100))
