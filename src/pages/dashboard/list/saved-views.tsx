import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { type SavedViewList, SavedViewsDocument } from '../../../generated/dashboard/list/graphql.ts'
import { action } from '../api/action.ts'
import { useAction, useData } from '../api/use-data.ts'
import { FormFailure, TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import { type ListSearch, readListSearch } from './search.ts'

const words = texts.list.views

/** What the address says without the page. */
const wantedOf = ({ after: _after, before: _before, ...wanted }: ListSearch): ListSearch => wanted

const isSame = (one: ListSearch, other: ListSearch) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => one[name] === other[name])

/** Filters and an order with a name. */
type View = { name: string; search: ListSearch }

const searchOf = (query: string): ListSearch => readListSearch(Object.fromEntries(new URLSearchParams(query)))

const queryOf = (search: ListSearch): string =>
  new URLSearchParams(
    Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString()

type SavedViewsProps = { list: SavedViewList; search: ListSearch }

function useViews({ list, search }: SavedViewsProps) {
  const { data } = useData(SavedViewsDocument, { list })
  const views: View[] = data?.savedViews.map(({ name, query }) => ({ name, search: searchOf(query) })) ?? []
  const wanted = wantedOf(search)
  const current = views.find((view) => isSame(view.search, wanted))
  return { views, wanted, current, isPlain: isSame(wanted, {}) }
}

/** The views of a list that a person saved, as links. */
export function SavedViews({ list, search }: SavedViewsProps) {
  const { views, current, isPlain } = useViews({ list, search })
  const [deleteSavedView] = useAction(action('deleteSavedView'))
  const [isDeleting, setDeleting] = useState(false)
  const show = useToast()
  if (views.length === 0) return null
  return (
    <nav className="saved-views" aria-label={words.title}>
      <ul>
        <ViewLink name={words.all} search={{}} isCurrent={isPlain} />
        {views.map((view) => (
          <ViewLink key={view.name} {...view} isCurrent={view === current} />
        ))}
      </ul>
      {current && (
        <button type="button" className="plain danger-text" onClick={() => setDeleting(true)}>
          {words.delete}
        </button>
      )}
      <Confirm
        title={words.deleteTitle(current?.name ?? '')}
        text={<p>{words.deleteText}</p>}
        action={words.delete}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          if (!current) return undefined
          const { failure } = await deleteSavedView({ input: { list, name: current.name } })
          if (failure === undefined) show(words.deleted(current.name))
          return failure
        }}
      />
    </nav>
  )
}

/** Saves what a list shows under a name. Its place is kept while there is nothing to save, so that nothing moves. */
export function SaveView({ list, search }: SavedViewsProps) {
  const { wanted, current, isPlain } = useViews({ list, search })
  const [saveView] = useAction(action('saveView'))
  const [isSaving, setSaving] = useState(false)
  const show = useToast()
  return (
    <>
      <button
        type="button"
        className={isPlain || current ? 'plain save-view reserved' : 'plain save-view'}
        onClick={() => setSaving(true)}
      >
        {words.save}
      </button>
      <Dialog title={words.save} lead={words.saveLead} isOpen={isSaving} onClose={() => setSaving(false)}>
        <NameForm
          onName={async (name, form) => {
            const outcome = await saveView({ input: { list, name, query: queryOf(wanted) } })
            if (!outcome.data) return showRejection(form, outcome)
            setSaving(false)
            show(words.saved(name))
          }}
        />
      </Dialog>
    </>
  )
}

const ViewLink = ({ name, search, isCurrent }: View & { isCurrent: boolean }) => (
  <li>
    <Link
      to="."
      search={search as never}
      replace
      className={isCurrent ? 'current' : undefined}
      activeOptions={{ exact: true }}
      activeProps={{}}
      aria-current={isCurrent ? 'true' : undefined}
    >
      {name}
    </Link>
  </li>
)

type NameFormProps = { onName(name: string, form: UseFormReturn<{ name: string }>): Promise<void> }

function NameForm({ onName }: NameFormProps) {
  const form = useFields<{ name: string }>({ name: '' }, ({ name }) =>
    name.trim() === '' ? { name: words.needsName } : {},
  )
  return (
    <form onSubmit={form.handleSubmit(({ name }) => onName(name.trim(), form))} noValidate>
      <TextField form={form} name="name" label={texts.fields.name} hint={words.nameHint} />
      <FormFailure form={form} />
      <div className="dialog-foot">
        <button type="submit" className="primary">
          {words.save}
        </button>
      </div>
    </form>
  )
}
