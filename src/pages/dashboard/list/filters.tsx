import { useEffect, useState } from 'react'
import type { Option } from '../form/fields.tsx'
import { texts } from '../texts.ts'
import type { ListState } from './use-list-state.ts'

/** A condition on the rows of a list. Its name is the one in the address. */
export type Filter =
  | {
      kind: 'choice'
      name: string
      label: string
      options: readonly Option[]
      /** What the list shows without a choice, unless that is everything. */
      all?: string
    }
  | { kind: 'text'; name: string; label: string }
  | { kind: 'day'; name: string; label: string }

export const Filters = ({ filters, state }: { filters: readonly Filter[]; state: ListState }) => {
  const { search, filter } = state
  const isFiltered = filters.some(({ name }) => search[name] !== undefined)
  const control = (one: Filter) => (
    <Control
      key={one.name}
      filter={one}
      value={search[one.name] ?? ''}
      onChange={(value) => filter({ [one.name]: value || undefined })}
    />
  )
  const [isOpen, setOpen] = useState(false)
  const days = filters.filter(({ kind }) => kind === 'day')
  const first = filters[0]?.kind === 'text' ? filters[0] : undefined
  const others = filters.filter((one) => one !== first && one.kind !== 'day')
  const count = filters.filter((one) => one !== first && search[one.name] !== undefined).length
  return (
    <search className="filters" aria-label={texts.list.filters}>
      {first && control(first)}
      {others.length + days.length > 0 && (
        <button type="button" className="phone-only" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {texts.list.filtersOf(count)}
        </button>
      )}
      <div className={isOpen ? 'folds open' : 'folds'}>
        {others.map(control)}
        {days.length > 0 && <div className="filter-days">{days.map(control)}</div>}
      </div>
      <button
        type="button"
        className={isFiltered ? 'plain' : 'plain reserved'}
        onClick={() => filter(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
      >
        {texts.list.clear}
      </button>
    </search>
  )
}

type ControlProps = { filter: Filter; value: string; onChange(value: string): void }

function Control({ filter, value, onChange }: ControlProps) {
  const { kind, label } = filter
  if (kind === 'text') return <TextControl label={label} value={value} onChange={onChange} />
  if (kind === 'day')
    return (
      <label className="filter">
        <span>{label}</span>
        <input type="date" value={value} onChange={({ target }) => onChange(target.value)} />
      </label>
    )
  return (
    <label className="filter">
      <span>{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{filter.all ?? texts.list.all}</option>
        {filter.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The list follows when nothing was typed for a moment. */
const typingMs = 300

function TextControl({ label, value, onChange }: { label: string; value: string; onChange(value: string): void }) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onChange(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <input
      type="search"
      className="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}
