import type { PersonFragment } from '../../../generated/dashboard/picker/graphql.ts'
import { nameOf } from '../affiliate-name.tsx'
import { texts } from '../texts.ts'
import { AffiliatePicker } from './affiliate-picker.tsx'

const words = texts.picker

type PickerProps = {
  label: string
  chosen: readonly PersonFragment[]
  onChoose(affiliates: readonly PersonFragment[]): void
  /** What it means that nobody is chosen. */
  nobody: string
}

/** Finds any number of active affiliates by name or e-mail, in a form. */
export const AffiliatesPicker = ({ label, chosen, onChoose, nobody }: PickerProps) => (
  <>
    <AffiliatePicker
      label={label}
      chosen={chosen.at(-1)}
      onChoose={(one) => {
        if (one && !chosen.some(({ id }) => id === one.id)) onChoose([...chosen, one])
      }}
    />
    {chosen.length === 0 && <p className="quiet">{nobody}</p>}
    {chosen.map((one) => (
      <p key={one.id}>
        {words.chosen} {nameOf(one)}{' '}
        <button type="button" onClick={() => onChoose(chosen.filter(({ id }) => id !== one.id))}>
          {words.remove}
          <span className="unseen"> {nameOf(one)}</span>
        </button>
      </p>
    ))}
  </>
)
