import { type FormEvent, useId, useState } from 'react'
import { texts } from './texts.ts'

/** Asks for the program, on an installation with several: the page of the program asks for the rest. */
export function ProgramForm() {
  const words = texts.signedOut.program
  const id = useId()
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  function open(event: FormEvent) {
    event.preventDefault()
    const slug = name.trim().toLowerCase().replaceAll(' ', '-')
    setMissing(slug === '')
    if (slug === '') return
    const address = new URL(location.href)
    address.searchParams.set('program', slug)
    location.assign(address)
  }
  return (
    <form className="sign-in" onSubmit={open} noValidate>
      <div className="field">
        <label htmlFor={id}>{words.label}</label>
        <input
          id={id}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={name}
          aria-invalid={isMissing || undefined}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setName(target.value)}
        />
        <p id={`${id}-hint`} className={isMissing ? 'error' : 'quiet'} role={isMissing ? 'alert' : undefined}>
          {words.hint}
        </p>
      </div>
      <button type="submit" className="primary">
        {words.open}
      </button>
    </form>
  )
}
