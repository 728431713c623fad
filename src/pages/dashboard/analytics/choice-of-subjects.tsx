import { texts } from '../texts.ts'
import { Choice } from '../ui/choice.tsx'
import type { dimensions } from './report-settings.ts'

const words = texts.analytics

type Dimension = (typeof dimensions)[number]
type Value = Dimension | 'ALL'

type ChoiceOfSubjectsProps<V extends Value> = { value: V; values: readonly V[]; onChange(value: V): void }

/** Chooses whether a report is about all together, or has a row for each affiliate, campaign, link or coupon. */
export const ChoiceOfSubjects = <V extends Value>({ value, values, onChange }: ChoiceOfSubjectsProps<V>) => (
  <Choice
    label={words.by}
    value={value}
    options={values.map((one) => ({
      value: one,
      name: one === 'ALL' ? words.all : words.dimensions[one as Dimension],
    }))}
    onChange={onChange}
  />
)
