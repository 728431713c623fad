import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { encode } from 'uqr'
import { post } from '../api/post.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { FormFailure, TextField } from '../form/fields.tsx'
import { showError, useFields } from '../form/use-fields.ts'
import { forgetSession } from '../session/session.ts'
import { useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CopyBox } from '../ui/secret.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.account

type Enabled = { totpURI: string; backupCodes: string[] }

/** Codes of an authenticator app, asked for after the password. */
export function SecondFactor() {
  const { person } = useSession()
  const router = useRouter()
  const show = useToast()
  const [isAsking, setAsking] = useState(false)
  const [enabled, setEnabled] = useState<Enabled>()
  async function finish(message: string) {
    setEnabled(undefined)
    setAsking(false)
    show(message)
    forgetSession()
    await router.invalidate()
  }
  return (
    <Card
      title={words.secondFactor}
      lead={words.secondFactorLead}
      actions={
        <>
          {person.hasSecondFactor && <Badge tone="good">{words.isOn}</Badge>}
          <button type="button" onClick={() => setAsking(true)}>
            {person.hasSecondFactor ? words.turnOff : words.turnOn}
          </button>
        </>
      }
    >
      <Dialog
        title={person.hasSecondFactor ? words.turnOffTitle : words.turnOnTitle}
        isOpen={isAsking}
        onClose={() => {
          setAsking(false)
          setEnabled(undefined)
        }}
      >
        {enabled ? (
          <Activation enabled={enabled} onDone={() => finish(words.turnedOn)} />
        ) : (
          <PasswordForm
            isOn={person.hasSecondFactor}
            onDone={(answer) => (person.hasSecondFactor ? void finish(words.turnedOff) : setEnabled(answer))}
          />
        )}
      </Dialog>
    </Card>
  )
}

function PasswordForm({ isOn, onDone }: { isOn: boolean; onDone(answer: Enabled): void }) {
  const form = useFields({ password: '' }, ({ password }) =>
    password === '' ? { password: texts.signIn.needsPassword } : {},
  )
  const submit = form.handleSubmit(async (values) => {
    try {
      onDone(await post<Enabled>(isOn ? 'auth/two-factor/disable' : 'auth/two-factor/enable', values))
    } catch (error) {
      showError(form, error)
    }
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={isOn ? words.turnOff : words.continue} isDanger={isOn}>
      <TextField
        form={form}
        name="password"
        label={texts.fields.password}
        type="password"
        autoComplete="current-password"
        hint={words.passwordFirst}
      />
    </DialogForm>
  )
}

function Activation({ enabled: { totpURI, backupCodes }, onDone }: { enabled: Enabled; onDone(): void }) {
  const form = useFields({ code: '' }, ({ code }) => (code.trim() === '' ? { code: texts.signIn.needsCode } : {}))
  const submit = form.handleSubmit(async ({ code }) => {
    try {
      await post('auth/two-factor/verify-totp', { code: code.replace(/\s/g, '') })
      onDone()
    } catch (error) {
      showError(form, error)
    }
  })
  return (
    <ol className="steps">
      <li>
        <p>{words.scan}</p>
        <QrCode text={totpURI} />
        <p className="quiet">{words.orType}</p>
        <CopyBox text={new URL(totpURI).searchParams.get('secret') ?? totpURI} name={words.appSecret} />
      </li>
      <li>
        <p>{words.saveCodes}</p>
        <CopyBox text={backupCodes.join('\n')} name={words.recoveryCodes} isShownOnce />
      </li>
      <li>
        <form onSubmit={submit} noValidate>
          <TextField
            form={form}
            name="code"
            label={texts.fields.code}
            autoComplete="one-time-code"
            inputMode="numeric"
            hint={words.codeHint}
          />
          <FormFailure form={form} />
          <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
            {words.turnOn}
          </button>
        </form>
      </li>
    </ol>
  )
}

/** Always dark on light: apps do not read inverted codes. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg className="qr" role="img" aria-label={words.qrCode} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} className="qr-ground" />
      <path d={path} className="qr-dark" />
    </svg>
  )
}
