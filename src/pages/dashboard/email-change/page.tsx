import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../api/post.ts'
import { FormFailure } from '../form/fields.tsx'
import { showError, useFields } from '../form/use-fields.ts'
import { forgetSession } from '../session/session.ts'
import { takeToken } from '../session/token-in-address.ts'
import { texts } from '../texts.ts'
import { Door } from '../ui/door.tsx'
import { LinkedDoor } from '../ui/linked-door.tsx'

const words = texts.emailChange

type Change = { email: string; newEmail: string }

/** A person confirms a new e-mail address with the link that was mailed to it, or that an operator made. */
export function EmailChange() {
  const [token] = useState(takeToken)
  const [changed, setChanged] = useState<string>()
  if (changed)
    return (
      <Door title={words.done} lead={words.doneLead(changed)}>
        <Link to="/" className="button primary">
          {words.open}
        </Link>
      </Door>
    )
  return (
    <LinkedDoor<Change> path="email-change/read" token={token} loading={words.title} rejected={words.rejected}>
      {({ email, newEmail }) => (
        <Door title={words.title} lead={words.lead(email, newEmail)}>
          <Confirm token={token} onDone={() => setChanged(newEmail)} />
        </Door>
      )}
    </LinkedDoor>
  )
}

/** A button, because programs that check mails open their links. */
function Confirm({ token, onDone }: { token: string; onDone(): void }) {
  const form = useFields({}, () => ({}))
  const submit = form.handleSubmit(async () => {
    try {
      await post('email-change', { token })
      forgetSession()
      onDone()
    } catch (error) {
      showError(form, error)
    }
  })
  return (
    <form onSubmit={submit} noValidate>
      <FormFailure form={form} />
      <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
        {words.button}
      </button>
    </form>
  )
}
