import type { ApplicationFragment } from '../../../generated/dashboard/applications/graphql.ts'
import { approveApplicationsInput, rejectApplicationsInput } from '../../../modules/applications/input.ts'
import { nameOf } from '../affiliate-name.tsx'
import { useCampaigns } from '../affiliates/use-campaigns.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { SelectField, TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import { isWaiting } from './application.tsx'

const words = texts.applications
const shownNames = 12

export type Decision = 'approve' | 'reject'

type DecideProps = {
  decision: Decision
  /** Undefined while the dialog is closed. */
  applications: readonly ApplicationFragment[] | undefined
  onClose(): void
  onDone(): void
}

/** Decides those of the applications that wait. */
export function Decide({ decision, applications = [], onClose, onDone }: DecideProps) {
  const waiting = applications.filter(isWaiting)
  const Form = decision === 'approve' ? ApproveForm : RejectForm
  return (
    <Dialog title={words.title[decision](waiting.length)} isOpen={applications.length > 0} onClose={onClose}>
      {waiting.length === 0 ? (
        <p>{words.noneWait}</p>
      ) : (
        <>
          <p>
            {waiting.slice(0, shownNames).map(nameOf).join(', ')}
            {waiting.length > shownNames && ` ${texts.list.each.more(waiting.length - shownNames)}`}
          </p>
          {applications.length > waiting.length && (
            <p className="quiet">{words.decided(applications.length - waiting.length)}</p>
          )}
          <Form
            ids={waiting.map(({ id }) => id)}
            onDone={() => {
              onClose()
              onDone()
            }}
          />
        </>
      )}
    </Dialog>
  )
}

type FormProps = { ids: string[]; onDone(): void }

function ApproveForm({ ids, onDone }: FormProps) {
  const [approve] = useAction(action('approveApplications'))
  const { active } = useCampaigns()
  const show = useToast()
  const form = useFields({ ids, campaignId: '' }, checkInput(approveApplicationsInput))
  const submit = form.handleSubmit(async ({ campaignId }) => {
    const outcome = await approve({ input: { ids, campaignId: campaignId || null } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.wasApproved(ids.length))
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.approve}>
      <SelectField
        form={form}
        name="campaignId"
        label={texts.money.campaign}
        hint={words.approveHint}
        options={[{ value: '', name: words.ownCampaign }, ...active]}
      />
    </DialogForm>
  )
}

function RejectForm({ ids, onDone }: FormProps) {
  const [reject] = useAction(action('rejectApplications'))
  const show = useToast()
  const form = useFields({ ids, reason: '', notify: true }, checkInput(rejectApplicationsInput))
  const isMailed = form.watch('notify')
  const submit = form.handleSubmit(async ({ reason, notify }) => {
    const outcome = await reject({ input: { ids, reason: reason || null, notify } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.wasRejected(ids.length))
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.reject} isDanger>
      <TextField
        form={form}
        name="reason"
        label={words.reason}
        hint={isMailed ? words.reasonMailed : words.reasonKept}
      />
      <label className="check">
        <input type="checkbox" {...form.register('notify')} /> {words.notify}
      </label>
    </DialogForm>
  )
}
