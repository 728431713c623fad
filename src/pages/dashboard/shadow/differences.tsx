import { useState } from 'react'
import type { DifferenceRowFragment } from '../../../generated/dashboard/shadow/graphql.ts'
import { acceptShadowDifferencesInput } from '../../../modules/imports/input.ts'
import { formatMoney } from '../../parts/format.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { SelectField, TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { actorName } from '../history/timeline.tsx'
import { ThingLink } from '../money/columns.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Moment } from '../ui/moment.tsx'
import { useToast } from '../ui/toast.tsx'
import { someOf, useMore } from './more.tsx'

const words = texts.shadow

type Row = DifferenceRowFragment

const nameOf = ({ saleExternalId, key }: Row) => saleExternalId ?? key

const columns: Column<Row>[] = [
  {
    name: words.sale,
    cell: (row) =>
      row.saleId ? (
        <ThingLink of="sales" id={row.saleId}>
          {nameOf(row)}
        </ThingLink>
      ) : (
        nameOf(row)
      ),
  },
  { name: texts.money.affiliate, cell: ({ affiliateEmail }) => affiliateEmail },
  { name: words.ours, isNumber: true, cell: ({ oursCents, currency }) => formatMoney(oursCents, currency) },
  { name: words.theirs, isNumber: true, cell: ({ theirsCents, currency }) => formatMoney(theirsCents, currency) },
  { name: words.why, className: 'reference', cell: ({ text }) => text },
]

const acceptance: Column<Row> = {
  name: words.acceptedAs,
  cell: ({ accepted }) =>
    accepted && (
      <>
        {words.as[accepted.as]} {accepted.note && <p>{accepted.note}</p>}
        <p className="quiet">
          {actorName(accepted.by)} · <Moment at={accepted.at} />
        </p>
      </>
    ),
}

type DifferencesProps = { title: string; lead?: string; rows: readonly Row[]; count: number }

/** The sales about which both sides differ, each with its reason. Rows are all open, or all accepted. */
export function Differences({ title, lead, rows, count }: DifferencesProps) {
  const { canChange } = useProgram()
  const [asked, setAsked] = useState<Row>()
  const [reopen, isRunning] = useAction(action('reopenShadowDifferences'))
  const show = useToast()
  const { shown, button } = useMore(rows)
  const isAccepted = rows.some(({ accepted }) => accepted)
  const open = async (row: Row) => {
    const { failure } = await reopen({ input: { keys: [row.key] } })
    show(failure ?? words.wasReopened)
  }
  const actions: Column<Row> = {
    name: texts.actions,
    isPlain: true,
    className: 'row-actions',
    cell: (row) => (
      <button type="button" disabled={isRunning} onClick={() => (row.accepted ? open(row) : setAsked(row))}>
        {row.accepted ? words.reopen : words.accept}
        <span className="unseen"> {nameOf(row)}</span>
      </button>
    ),
  }
  return (
    <Card title={title} lead={lead}>
      {rows.length === 0 ? (
        <Empty title={words.noDifferences} text={words.noDifferencesText} />
      ) : (
        <Table
          caption={someOf(shown.length, count)}
          columns={[...columns, ...(isAccepted ? [acceptance] : []), ...(canChange ? [actions] : [])]}
          rows={shown}
          keyOf={({ key }) => key}
        />
      )}
      {button}
      <Dialog title={words.accept} lead={words.acceptLead} isOpen={!!asked} onClose={() => setAsked(undefined)}>
        {asked && <Accept row={asked} rows={rows} onDone={() => setAsked(undefined)} />}
      </Dialog>
    </Card>
  )
}

type Fields = { as: string; note: string; which: 'one' | 'reason' }

/** As many as a mutation takes. */
const mostAtOnce = 100

function Accept({ row, rows, onDone }: { row: Row; rows: readonly Row[]; onDone(): void }) {
  const [accept] = useAction(action('acceptShadowDifferences'))
  const show = useToast()
  const same = rows.filter(({ reason }) => reason === row.reason).map(({ key }) => key)
  const check = checkInput(acceptShadowDifferencesInput.omit({ keys: true }))
  const form = useFields<Fields>({ as: 'SETTING', note: '', which: 'one' }, check)
  const submit = form.handleSubmit(async ({ as, note, which }) => {
    const keys = which === 'one' ? [row.key] : same
    for (let first = 0; first < keys.length; first += mostAtOnce) {
      const input = { keys: keys.slice(first, first + mostAtOnce), as: as as 'OURS', note }
      const outcome = await accept({ input }, { refreshes: first + mostAtOnce >= keys.length })
      if (!outcome.data) return showRejection(form, outcome)
    }
    show(words.wasAccepted(keys.length))
    onDone()
  })
  const whom = Object.entries(words.as).map(([value, name]) => ({ value, name }))
  const which = [
    { value: 'one', name: words.thisOne(nameOf(row)) },
    { value: 'reason', name: words.allOfReason(same.length, words.reasons[row.reason] ?? row.reason) },
  ]
  return (
    <DialogForm form={form} onSubmit={submit} action={words.accept}>
      <p>{row.text}</p>
      <SelectField form={form} name="as" label={words.acceptedAs} options={whom} />
      <TextField form={form} name="note" label={words.note} hint={words.noteHint} />
      {same.length > 1 && <SelectField form={form} name="which" label={words.which} options={which} />}
    </DialogForm>
  )
}
