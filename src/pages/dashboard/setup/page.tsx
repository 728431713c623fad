import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../api/post.ts'
import { FormFailure, NewPasswordField, TextField } from '../form/fields.tsx'
import { showError, useFields } from '../form/use-fields.ts'
import { forgetSession, readSession } from '../session/session.ts'
import { takeToken } from '../session/token-in-address.ts'
import { texts } from '../texts.ts'
import { Door } from '../ui/door.tsx'
import { LinkedDoor } from '../ui/linked-door.tsx'

const words = texts.setUp

/** The first operator creates their account with the link that the service printed. */
export function SetUp() {
  const [token] = useState(takeToken)
  if (token === '') return <Door title={words.noTokenTitle} lead={words.noToken} />
  return (
    <LinkedDoor path="setup/read" token={token} loading={words.loading} rejected={words.rejected}>
      {() => (
        <Door title={words.title} lead={words.lead}>
          <AccountForm token={token} />
        </Door>
      )}
    </LinkedDoor>
  )
}

function AccountForm({ token }: { token: string }) {
  const navigate = useNavigate()
  const form = useFields({ name: '', email: '', password: '' }, ({ name, email, password }) => ({
    ...(name.trim() === '' && { name: texts.people.needsName }),
    ...(email.trim() === '' && { email: texts.signIn.needsEmail }),
    ...(password === '' && { password: texts.people.needsPassword }),
  }))
  const submit = form.handleSubmit(async (values) => {
    try {
      await post('setup', { token, ...values })
      forgetSession()
      const [opened] = (await readSession())?.programs ?? []
      if (opened) await navigate({ to: '/$program/start', params: { program: opened.program.slug } })
      else await navigate({ to: '/' })
    } catch (error) {
      showError(form, error)
    }
  })
  return (
    <form onSubmit={submit} noValidate>
      <TextField form={form} name="name" label={texts.fields.name} autoComplete="name" />
      <TextField form={form} name="email" label={texts.fields.email} type="email" autoComplete="username" />
      <NewPasswordField form={form} name="password" label={texts.fields.password} />
      <FormFailure form={form} />
      <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
        {words.button}
      </button>
    </form>
  )
}
