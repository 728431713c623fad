import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FormFailure, TextField } from '../form/fields.tsx'
import { useFields } from '../form/use-fields.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import type { ListSearch } from './search.ts'
import { storedViews, storeViews, type View } from './stored-views.ts'

const words = texts.list.views

/** What the address says without the page. */
const wantedOf = ({ after: _after, before: _before, ...wanted }: ListSearch): ListSearch => wanted

const isSame = (one: ListSearch, other: ListSearch) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => one[name] === other[name])

/** The views of a list that a person saved, as links, and what saves the present one. */
export function SavedViews({ list, search }: { list: string; search: ListSearch }) {
  const { program } = useProgram()
  const place = `${program.id}/${list}`
  const [views, setViews] = useState(() => storedViews(place))
  const [isSaving, setSaving] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const show = useToast()
  const wanted = wantedOf(search)
  const current = views.find((view) => isSame(view.search, wanted))
  const isPlain = isSame(wanted, {})
  const change = (next: readonly View[]) => {
    setViews(next)
    storeViews(place, next)
  }
  if (views.length === 0 && isPlain) return null
  return (
    <nav className="saved-views" aria-label={words.title}>
      <ul>
        <ViewLink name={words.all} search={{}} isCurrent={isPlain} />
        {views.map((view) => (
          <ViewLink key={view.name} {...view} isCurrent={view === current} />
        ))}
      </ul>
      {!isPlain && !current && (
        <button type="button" className="plain" onClick={() => setSaving(true)}>
          {words.save}
        </button>
      )}
      {current && (
        <button type="button" className="plain danger-text" onClick={() => setDeleting(true)}>
          {words.delete}
        </button>
      )}
      <Dialog title={words.save} lead={words.saveLead} isOpen={isSaving} onClose={() => setSaving(false)}>
        <NameForm
          onName={(name) => {
            change([...views.filter((view) => view.name !== name), { name, search: wanted }])
            setSaving(false)
            show(words.saved(name))
          }}
        />
      </Dialog>
      <Confirm
        title={words.deleteTitle(current?.name ?? '')}
        text={<p>{words.deleteText}</p>}
        action={words.delete}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          change(views.filter((view) => view !== current))
          if (current) show(words.deleted(current.name))
          return undefined
        }}
      />
    </nav>
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

function NameForm({ onName }: { onName(name: string): void }) {
  const form = useFields<{ name: string }>({ name: '' }, ({ name }) =>
    name.trim() === '' ? { name: words.needsName } : {},
  )
  return (
    <form onSubmit={form.handleSubmit(({ name }) => onName(name.trim()))} noValidate>
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
