import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { get, post } from '../api/post.ts'
import { FormFailure, TextField } from '../form/fields.tsx'
import { showError, useFields } from '../form/use-fields.ts'
import { forgetSession } from '../session/session.ts'
import { useSession } from '../session/use-program.ts'
import type { SignInOptions } from '../sign-in/page.tsx'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.account.profile

/** The name of the person, and the address with which they sign in. */
export function Profile() {
  return (
    <Card title={words.title} lead={words.lead}>
      <div className="form-fields">
        <NameForm />
        <EmailForm />
      </div>
    </Card>
  )
}

function NameForm() {
  const { person } = useSession()
  const router = useRouter()
  const show = useToast()
  const form = useFields({ name: person.name }, ({ name }) => (name.trim() === '' ? { name: words.needsName } : {}))
  const submit = form.handleSubmit(async (values) => {
    try {
      await post('auth/update-user', values)
      show(texts.saved)
      forgetSession()
      await router.invalidate()
    } catch (error) {
      showError(form, error)
    }
  })
  return (
    <form onSubmit={submit} noValidate className="narrow">
      <TextField form={form} name="name" label={texts.fields.name} autoComplete="name" />
      <FormFailure form={form} />
      <button type="submit" disabled={form.formState.isSubmitting}>
        {words.changeName}
      </button>
    </form>
  )
}

/** The new address is confirmed by a link that is mailed to it. Without a mail server, an operator makes the link. */
function EmailForm() {
  const [canMail, setCanMail] = useState<boolean>()
  const [mailedTo, setMailedTo] = useState<string>()
  const form = useFields({ email: '', password: '' }, ({ email, password }) => ({
    ...(email.trim() === '' && { email: texts.signIn.needsEmail }),
    ...(password === '' && { password: texts.signIn.needsPassword }),
  }))
  useEffect(() => {
    get<SignInOptions>('auth/options').then(
      (options) => setCanMail(options.canMail),
      () => {},
    )
  }, [])
  const submit = form.handleSubmit(async (values) => {
    try {
      await post('email-change/request', values)
      setMailedTo(values.email)
      form.reset()
    } catch (error) {
      showError(form, error)
    }
  })
  if (canMail === undefined) return null
  if (!canMail) return <p className="quiet">{words.noMail}</p>
  return (
    <form onSubmit={submit} noValidate className="narrow">
      <TextField
        form={form}
        name="email"
        label={words.newEmail}
        type="email"
        autoComplete="email"
        hint={words.newEmailHint}
      />
      <TextField form={form} name="password" label={words.password} type="password" autoComplete="current-password" />
      <FormFailure form={form} />
      <p role="status">{mailedTo && words.mailed(mailedTo)}</p>
      <button type="submit" disabled={form.formState.isSubmitting}>
        {words.changeEmail}
      </button>
    </form>
  )
}
