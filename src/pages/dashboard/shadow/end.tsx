import { useState } from 'react'
import {
  EndShadowDocument,
  type EndShadowMutation,
  ShadowEndDocument,
  type ShadowEndQuery,
  ShadowTimeZoneDocument,
} from '../../../generated/dashboard/shadow/graphql.ts'
import { momentOf } from '../../../kernel/time-zone.ts'
import { endShadowInput } from '../../../modules/imports/input.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatMoney } from '../../parts/format.tsx'
import { useAction, useData } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { forgetSession } from '../session/session.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { formatMoment } from '../ui/moment.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const words = texts.shadow.end

type Ended = NonNullable<EndShadowMutation['endShadow']>
type Preview = ShadowEndQuery['shadowEnd']
type Money = Preview['owed']

/** The step to this service: says what is taken over, and makes the program live. */
export function EndShadow({ name }: { name: string }) {
  const [isAsked, setAsked] = useState(false)
  const [ended, setEnded] = useState<Ended>()
  const close = () => {
    setAsked(false)
    // The navigation has a shadow's comparison.
    if (ended) window.location.reload()
  }
  return (
    <>
      <button type="button" className="primary" onClick={() => setAsked(true)}>
        {words.action}
      </button>
      <Dialog
        title={ended ? words.done : words.title(name)}
        lead={ended ? undefined : words.lead}
        isOpen={isAsked}
        onClose={close}
      >
        {ended ? <Result ended={ended} onClose={close} /> : <EndForm onEnded={setEnded} />}
      </Dialog>
    </>
  )
}

function EndForm({ onEnded }: { onEnded(ended: Ended): void }) {
  const [end] = useAction(EndShadowDocument)
  const form = useFields({ at: '' }, checkInput(endShadowInput))
  const day = form.watch('at')
  const zone = useData(ShadowTimeZoneDocument, {}).data?.program.timeZone
  const at = day === '' || !zone ? null : new Date(momentOf(Date.parse(day), zone)).toISOString()
  const { data, failure, retry, isLoading } = useData(ShadowEndDocument, { at })
  const preview = data?.shadowEnd
  const submit = form.handleSubmit(async () => {
    // The time that was shown, also if another import began meanwhile.
    const outcome = await end({ input: { at: preview?.at } }, { refreshes: false })
    if (!outcome.data) return showRejection(form, outcome)
    forgetSession()
    onEnded(outcome.data.endShadow)
  })
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      action={words.action}
      isDanger
      isDisabled={isLoading || !zone || !preview || preview.refusal !== null}
    >
      <TextField form={form} name="at" type="date" label={words.at} hint={words.atHint(zone ?? '')} />
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!preview && !failure && <Skeleton />}
      {preview && <TakenOver preview={preview} />}
    </DialogForm>
  )
}

const sum = (amounts: Money) =>
  amounts.length === 0
    ? words.nothing
    : amounts.map(({ amountCents, currency }) => formatMoney(amountCents, currency)).join(', ')

const TakenOver = ({ preview: { at, refusal, owed, paid, affiliates, voided } }: { preview: Preview }) => (
  <>
    {refusal && (
      <p role="alert" className="form-failure">
        {refusal}
      </p>
    )}
    <ul className="plain-list">
      <li>{words.since(formatMoment(at))}</li>
      <li>{words.owed(sum(owed), affiliates)}</li>
      <li>{words.paid(sum(paid))}</li>
      {voided > 0 && <li>{words.voided(voided)}</li>}
      <li>{words.begins}</li>
    </ul>
  </>
)

const Result = ({ ended: { takenOver, voided, notTakenOver }, onClose }: { ended: Ended; onClose(): void }) => (
  <>
    <p>{words.result(takenOver, voided)}</p>
    {notTakenOver.length > 0 && <p>{words.notTakenOver(notTakenOver.length)}</p>}
    <ul className="lines">
      {notTakenOver.map(({ externalId, message }) => (
        <li key={externalId}>
          <code>{externalId}</code> {message}
        </li>
      ))}
    </ul>
    <div className="dialog-foot">
      <button type="button" className="primary" onClick={onClose}>
        {texts.close}
      </button>
    </div>
  </>
)
