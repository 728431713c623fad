import { useState } from 'react'
import { PublishTermsDocument, type TermsFragment } from '../../../../generated/dashboard/applications/join/graphql.ts'
import { PreviewMailDocument } from '../../../../generated/dashboard/mails/texts/graphql.ts'
import { defaultLanguage, firstLanguage } from '../../../../kernel/languages.ts'
import { publishTermsInput } from '../../../../modules/applications/input.ts'
import { useAction, useData } from '../../api/use-data.ts'
import { checkInput } from '../../form/check-input.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import { AreaField, TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { Html } from '../../mails/mail.tsx'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Scrolls } from '../../ui/scrolls.tsx'
import { useToast } from '../../ui/toast.tsx'

const words = texts.applications.join.terms

type TermsProps = {
  /** The newest first. */
  terms: readonly TermsFragment[]
  /** The time in the program. */
  now: string
}

/** All versions of the terms. The newest that has begun is in force. */
export function TermsVersions({ terms, now }: TermsProps) {
  const { canChange } = useProgram()
  const [isOpen, setOpen] = useState(false)
  const current = terms.find(({ from }) => from <= now)
  const stateOf = (one: TermsFragment) =>
    one === current
      ? ({ tone: 'good', name: words.current } as const)
      : one.from > now
        ? ({ tone: 'wait', name: words.later } as const)
        : ({ tone: 'plain', name: words.former } as const)
  const publish = canChange && (
    <button type="button" onClick={() => setOpen(true)}>
      {words.publish}
    </button>
  )
  return (
    <Card title={words.title} lead={words.lead} actions={publish}>
      {terms.length === 0 && <p className="quiet">{words.none}</p>}
      {terms.map((one) => (
        <details key={one.version} className="terms">
          <summary>
            {texts.applications.termsVersion(one.version)} <Badge tone={stateOf(one).tone}>{stateOf(one).name}</Badge>
            <span className="quiet">
              {words.from} <Moment at={one.from} />
            </span>
          </summary>
          <Scrolls name={texts.applications.termsVersion(one.version)} className="mail-text">
            <pre>{one.text}</pre>
          </Scrolls>
          <p className="quiet">
            {words.publishedAt} <Moment at={one.publishedAt} />
            {one.requiredFrom && (
              <>
                {' · '}
                {words.requiredFrom} <Moment at={one.requiredFrom} />
              </>
            )}
          </p>
        </details>
      ))}
      <Dialog title={words.publish} lead={words.publishLead} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Publish text={terms[0]?.text ?? ''} onDone={() => setOpen(false)} />
      </Dialog>
    </Card>
  )
}

/** The day in the browser's time zone, as an instant. Empty: now. */
const beginOf = (day: string): string | null => (day === '' ? null : new Date(`${day}T00:00`).toISOString())

type Values = { text: string; from: string; requiredFrom: string }

/** The first click says how many get a mail, and shows it; the second publishes. */
function Publish({ text, onDone }: { text: string; onDone(): void }) {
  const [publish] = useAction(PublishTermsDocument)
  const [checked, setChecked] = useState<{ values: Values; recipients: number }>()
  const show = useToast()
  const form = useFields<Values>({ text, from: '', requiredFrom: '' }, checkInput(publishTermsInput))
  const given = form.watch()
  const isChecked = checked !== undefined && JSON.stringify(checked.values) === JSON.stringify(given)
  const submit = form.handleSubmit(async (values) => {
    const times = { from: beginOf(values.from), requiredFrom: beginOf(values.requiredFrom) }
    const input = { text: values.text, ...times, dryRun: !isChecked }
    const outcome = await publish({ input }, { refreshes: isChecked })
    if (!outcome.data) return showRejection(form, outcome)
    const { terms, recipients } = outcome.data.publishTerms
    if (!isChecked) return setChecked({ values, recipients })
    show(words.published(terms.version))
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={isChecked ? words.publishTo(checked.recipients) : words.check}>
      <AreaField form={form} name="text" label={words.text} rows={12} />
      <TextField form={form} name="from" label={words.from} hint={words.fromHint} type="date" />
      <TextField form={form} name="requiredFrom" label={words.requiredFrom} hint={words.requiredFromHint} type="date" />
      {isChecked && <Announced recipients={checked.recipients} isRequired={given.requiredFrom !== ''} />}
    </DialogForm>
  )
}

/** Who gets a mail, and what it says. */
function Announced({ recipients, isRequired }: { recipients: number; isRequired: boolean }) {
  const { program } = useProgram()
  const language = firstLanguage([program.locale]) ?? defaultLanguage
  const { data } = useData(PreviewMailDocument, { kind: 'TERMS_CHANGED', language }, { pause: recipients === 0 })
  return (
    <div aria-live="polite">
      <p>
        <strong>{words.tells(recipients)}</strong> {isRequired ? words.mustAccept : words.nobodyMust}
      </p>
      {data?.previewMail && (
        <>
          <p className="quiet">{words.example}</p>
          <p>{data.previewMail.subject}</p>
          <Html html={data.previewMail.html} />
        </>
      )}
    </div>
  )
}
