import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type {
  DifferenceFragment,
  ReconciliationQuery,
} from '../../../../generated/dashboard/payouts/statements/graphql.ts'
import { acceptReconciliationInput } from '../../../../modules/statements/input.ts'
import { formatCount, formatMoney } from '../../../parts/format.tsx'
import { formatNumber } from '../../../parts/locale.ts'
import { type Column, Table } from '../../../parts/table.tsx'
import { action } from '../../api/action.ts'
import { useAction } from '../../api/use-data.ts'
import { checkInput } from '../../form/check-input.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import { TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { actorName } from '../../history/timeline.tsx'
import { useProgram } from '../../session/use-program.ts'
import { useMore } from '../../shadow/more.tsx'
import { texts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useToast } from '../../ui/toast.tsx'

const words = texts.statements.differences

const kindOf = ({ kind }: DifferenceFragment) => words.kinds[kind]

/** Where a person finds what the difference is about. */
function Subject({ row }: { row: DifferenceFragment }) {
  const { program } = useProgram()
  const params = { program: program.slug, id: row.subjectId }
  const name = kindOf(row)
  if (row.kind === 'SALE' || row.kind === 'REFUND')
    return (
      <Link to="/$program/sales/$id" params={params}>
        {name}
      </Link>
    )
  if (row.kind === 'FEED_EVENT')
    return (
      <Link to="/$program/sales/events/$id" params={params}>
        {name}
      </Link>
    )
  if (row.kind === 'PAYMENT')
    return (
      <Link to="/$program/affiliates/$id" params={params}>
        {name}
      </Link>
    )
  return name
}

const columns: Column<DifferenceFragment>[] = [
  { name: words.kind, cell: (row) => <Subject row={row} /> },
  {
    name: words.amount,
    isNumber: true,
    cell: ({ differenceCents, currency }) =>
      differenceCents === null || currency === null ? '–' : formatMoney(differenceCents, currency),
  },
  { name: words.why, className: 'reference', cell: ({ reason }) => reason },
  {
    name: words.state,
    isPlain: true,
    cell: ({ accepted }) =>
      accepted ? (
        <>
          {accepted.reason}
          <p className="quiet">
            {actorName(accepted.by)} · <Moment at={accepted.at} />
          </p>
        </>
      ) : (
        <Badge tone="bad">{words.isOpen}</Badge>
      ),
  },
]

type DifferencesProps = { month: string; compared: ReconciliationQuery['reconciliation']; canAccept: boolean }

/** The lines that differ, those that are open first, and the form that accepts them. */
export function Differences({ month, compared: { differences, differenceCount }, canAccept }: DifferencesProps) {
  const [asked, setAsked] = useState<readonly DifferenceFragment[]>([])
  const { shown, button } = useMore(differences)
  const open = differences.filter(({ accepted }) => accepted === null)
  const close = () => setAsked([])
  const accept: Column<DifferenceFragment> = {
    name: texts.actions,
    isPlain: true,
    className: 'row-actions',
    cell: (row) =>
      row.accepted === null && (
        <button type="button" onClick={() => setAsked([row])}>
          {words.accept}
          <span className="unseen"> {kindOf(row)}</span>
        </button>
      ),
  }
  return (
    <Card
      title={words.title}
      lead={words.lead}
      actions={
        canAccept &&
        open.length > 0 && (
          <button type="button" onClick={() => setAsked(open)}>
            {words.acceptAll(open.length)}
          </button>
        )
      }
    >
      <Table
        caption={words.some(formatNumber(shown.length), formatCount(differenceCount, 'difference'))}
        columns={canAccept && open.length > 1 ? [...columns, accept] : columns}
        rows={shown}
        keyOf={({ key }) => key}
      />
      {button}
      <Dialog title={words.acceptAll(asked.length)} lead={words.acceptLead} isOpen={asked.length > 0} onClose={close}>
        <Accept month={month} chosen={asked} onDone={close} />
      </Dialog>
    </Card>
  )
}

/** As many as a mutation takes. */
const mostAtOnce = 100

type AcceptProps = { month: string; chosen: readonly DifferenceFragment[]; onDone(): void }

/** What was seen is accepted: if one of the differences has changed meanwhile, the service refuses. */
function Accept({ month, chosen, onDone }: AcceptProps) {
  const [accept] = useAction(action('acceptReconciliation'))
  const show = useToast()
  const form = useFields({ reason: '' }, checkInput(acceptReconciliationInput.pick({ reason: true })))
  const submit = form.handleSubmit(async ({ reason }) => {
    for (let first = 0; first < chosen.length; first += mostAtOnce) {
      const keys = chosen.slice(first, first + mostAtOnce).map(({ key }) => key)
      const refreshes = first + mostAtOnce >= chosen.length
      const outcome = await accept({ input: { month, keys, reason } }, { refreshes })
      if (!outcome.data) return showRejection(form, outcome)
    }
    show(words.wasAccepted(chosen.length))
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.accept}>
      <TextField form={form} name="reason" label={words.reason} />
    </DialogForm>
  )
}
