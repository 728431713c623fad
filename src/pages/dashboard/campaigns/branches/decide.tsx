import { useState } from 'react'
import type { OneBranchQuery } from '../../../../generated/dashboard/campaigns/branches/graphql.ts'
import { acceptBranchInput } from '../../../../modules/rule-plans/branches/input.ts'
import { action } from '../../api/action.ts'
import { useAction } from '../../api/use-data.ts'
import { checkInput } from '../../form/check-input.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import { TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'

const words = texts.branches

/** The buttons that accept a branch, or throw it away. */
export function Decide({ branch }: { branch: NonNullable<OneBranchQuery['branch']> }) {
  const { canChange } = useProgram()
  const [asked, setAsked] = useState<'accept' | 'discard'>()
  const [discard] = useAction(action('discardBranch'))
  const close = () => setAsked(undefined)
  const isUnfinished = branch.state === 'ACCEPTED' && branch.finishedAt === null
  if (!canChange || (branch.state !== 'OPEN' && !isUnfinished)) return null
  return (
    <>
      {branch.state === 'OPEN' && (
        <button type="button" onClick={() => setAsked('discard')}>
          {words.discard}
        </button>
      )}
      {branch.differenceCount > 0 && (
        <button type="button" className="primary" onClick={() => setAsked('accept')}>
          {words.accept}
        </button>
      )}
      <Dialog
        title={words.acceptTitle}
        lead={words.acceptLead(branch.differenceCount)}
        isOpen={asked === 'accept'}
        onClose={close}
      >
        <Accept id={branch.id} onDone={close} />
      </Dialog>
      <Confirm
        title={words.discardTitle}
        text={words.discardText}
        action={words.discard}
        isOpen={asked === 'discard'}
        onClose={close}
        onConfirm={async () => (await discard({ input: { id: branch.id } })).failure}
      />
    </>
  )
}

function Accept({ id, onDone }: { id: string; onDone(): void }) {
  const [accept] = useAction(action('acceptBranch'))
  const show = useToast()
  const form = useFields({ reason: '' }, checkInput(acceptBranchInput.pick({ reason: true })))
  const submit = form.handleSubmit(async ({ reason }) => {
    const outcome = await accept({ input: { id, reason } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.wasAccepted)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.accept}>
      <TextField form={form} name="reason" label={words.reason} hint={words.reasonHint} />
    </DialogForm>
  )
}
