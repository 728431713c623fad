import { type ReactNode, useState } from 'react'
import type { UpdateJoinSettingsInput } from '../../../../generated/dashboard/actions.ts'
import { formatCount } from '../../../parts/format.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { action } from '../../api/action.ts'
import { type Outcome, useAction } from '../../api/use-data.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Scrolls } from '../../ui/scrolls.tsx'
import { useToast } from '../../ui/toast.tsx'

const words = texts.applications.join

type Words = {
  title: string
  lead: string
  noun: string
  none: string
  add: string
  editTitle: string
  removeTitle(name: string): string
  removeText: string
}

export type FormProps<Entry> = {
  entry: Entry | undefined
  /** Saves the entry in its place in the list. */
  onSave(entry: Entry): Promise<Outcome<unknown>>
  onDone(): void
}

type EntriesProps<Entry> = {
  words: Words
  entries: readonly Entry[]
  columns: readonly Column<Entry>[]
  nameOf(entry: Entry): string
  inputOf(entries: readonly Entry[]): UpdateJoinSettingsInput
  form(props: FormProps<Entry>): ReactNode
}

type Open = { what: 'edit' | 'remove'; index: number }

/** A short list of the settings, whose order counts. A change saves the list as a whole. */
export function Entries<Entry>({ words: own, entries, columns, nameOf, inputOf, form }: EntriesProps<Entry>) {
  const { canChange } = useProgram()
  const [update, isSaving] = useAction(action('updateJoinSettings'))
  const [open, setOpen] = useState<Open>()
  const show = useToast()
  const close = () => setOpen(undefined)
  const entry = open && entries[open.index]
  const save = (changed: readonly Entry[]) => update({ input: inputOf(changed) })
  const moveUp = async (index: number) => {
    const [above, moved] = [entries[index - 1] as Entry, entries[index] as Entry]
    const { failure } = await save(entries.toSpliced(index - 1, 2, moved, above))
    if (failure !== undefined) show(failure)
  }
  const actions: Column<Entry> = {
    name: texts.actions,
    isPlain: true,
    className: 'row-actions',
    cell: (row) => {
      const index = entries.indexOf(row)
      const button = (name: string, act: () => void, isDanger = false) => (
        <button type="button" className={isDanger ? 'danger-text' : undefined} disabled={isSaving} onClick={act}>
          {name}
          <span className="unseen"> {nameOf(row)}</span>
        </button>
      )
      return (
        <>
          {index > 0 && button(words.moveUp, () => void moveUp(index))}
          {button(texts.edit, () => setOpen({ what: 'edit', index }))}
          {button(words.remove, () => setOpen({ what: 'remove', index }), true)}
        </>
      )
    },
  }
  const add = canChange && (
    <button type="button" onClick={() => setOpen({ what: 'edit', index: entries.length })}>
      {own.add}
    </button>
  )
  return (
    <Card title={own.title} lead={own.lead} actions={add}>
      {entries.length === 0 ? (
        <p className="quiet">{own.none}</p>
      ) : (
        <Scrolls name={own.title}>
          <Table
            caption={formatCount(entries.length, own.noun)}
            columns={canChange ? [...columns, actions] : columns}
            rows={entries}
            keyOf={(row) => String(entries.indexOf(row))}
          />
        </Scrolls>
      )}
      <Dialog title={entry ? own.editTitle : own.add} isOpen={open?.what === 'edit'} onClose={close}>
        {open?.what === 'edit' &&
          form({
            entry,
            onSave: (changed) => save(entries.toSpliced(open.index, 1, changed)),
            onDone: () => {
              show(texts.saved)
              close()
            },
          })}
      </Dialog>
      <Confirm
        title={own.removeTitle(entry ? nameOf(entry) : '')}
        text={<p>{own.removeText}</p>}
        action={words.remove}
        isOpen={open?.what === 'remove'}
        onClose={close}
        onConfirm={async () => (await save(entries.toSpliced(open?.index ?? 0, 1))).failure}
      />
    </Card>
  )
}
