import { useEffect, useId, useState } from 'react'
import { FindAffiliatesDocument, type PersonFragment } from '../../../generated/dashboard/picker/graphql.ts'
import { nameOf } from '../affiliate-name.tsx'
import { useData } from '../api/use-data.ts'
import { texts } from '../texts.ts'

const words = texts.picker

type PickerProps = {
  label: string
  chosen: PersonFragment | undefined
  onChoose(affiliate: PersonFragment | undefined): void
  /** What it means that nobody is chosen. With it, the choice can be taken back. */
  nobody?: string
  /** Whether one has to be chosen, beside fields that can be empty. */
  isRequired?: boolean
  /** What is wrong with the choice. */
  problem?: string | undefined
}

/** Finds an active affiliate by name or e-mail, in a form. */
export function AffiliatePicker({ label, chosen, onChoose, nobody, isRequired, problem }: PickerProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const search = usePaused(typed)
  return (
    <>
      <div className="field">
        <label htmlFor={id} className={isRequired ? 'required' : undefined}>
          {label}
        </label>
        <input
          id={id}
          aria-required={isRequired}
          value={typed}
          autoComplete="off"
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-hint ${id}-error` : `${id}-hint`}
          onChange={({ target }) => setTyped(target.value)}
        />
        <p id={`${id}-hint`} className="hint">
          {words.hint}
        </p>
        {problem && (
          <p id={`${id}-error`} className="error">
            {problem}
          </p>
        )}
      </div>
      {search !== '' && <Found search={search} chosen={chosen} onChoose={onChoose} />}
      {nobody && (
        <p>
          {chosen ? `${words.chosen} ${nameOf(chosen)} ` : <span className="quiet">{nobody}</span>}
          {chosen && (
            <button type="button" onClick={() => onChoose(undefined)}>
              {words.remove}
            </button>
          )}
        </p>
      )}
    </>
  )
}

type FoundProps = Pick<PickerProps, 'chosen' | 'onChoose'> & { search: string }

function Found({ search, chosen, onChoose }: FoundProps) {
  const { data, failure } = useData(FindAffiliatesDocument, { search })
  const found = data?.affiliates.nodes ?? []
  if (failure) return <p role="alert">{failure}</p>
  if (data && found.length === 0) return <p role="status">{words.noneFound}</p>
  return (
    <fieldset className="check-group">
      <legend>{words.found}</legend>
      <div className="checks">
        {found.map((affiliate) => (
          <label key={affiliate.id}>
            <input
              type="radio"
              name="affiliate"
              checked={affiliate.id === chosen?.id}
              onChange={() => onChoose(affiliate)}
            />{' '}
            {nameOf(affiliate)} <span className="quiet">{affiliate.email}</span>
          </label>
        ))}
      </div>
      {data && data.affiliates.totalCount > found.length && <p className="hint">{words.moreFound}</p>}
    </fieldset>
  )
}

const pauseMs = 300

/** The text once nothing was typed for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
