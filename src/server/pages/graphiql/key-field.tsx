import { useId, useRef, useState } from 'react'
import { type KeyState, type Session, startSession, useKeyState, useSession } from './session.ts'

const sentences: Record<KeyState['kind'], string> = {
  none: 'No key yet.',
  checking: 'Asking …',
  accepted: 'Connected.',
  refused: '',
}

/** Where the key is entered. It is a password field, so that nobody reads it over a shoulder or in a recording. */
export function KeyField() {
  const session = useSession()
  const state = useKeyState()
  const [isShown, show] = useState(false)
  const [draft, edit] = useState<Session>(session)
  const field = useRef<HTMLInputElement>(null)
  const [keyId, programId, statusId] = [useId(), useId(), useId()]
  const forget = () => {
    edit({ key: '', programId: '' })
    startSession({ key: '', programId: '' })
    field.current?.focus()
  }
  return (
    <form
      className="key"
      aria-label="Access"
      onSubmit={(event) => {
        event.preventDefault()
        startSession(draft)
      }}
    >
      <label htmlFor={keyId}>Key</label>
      <span className="key-input">
        <input
          id={keyId}
          ref={field}
          data-key-field
          type={isShown ? 'text' : 'password'}
          value={draft.key}
          placeholder="trib_sk_…"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={statusId}
          aria-invalid={state.kind === 'refused'}
          onChange={(event) => edit({ ...draft, key: event.target.value })}
        />
        <button type="button" aria-pressed={isShown} aria-label="Show the key" onClick={() => show(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
        </button>
      </span>
      <label htmlFor={programId}>Program id</label>
      <input
        id={programId}
        className="program"
        value={draft.programId}
        placeholder="operators only"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => edit({ ...draft, programId: event.target.value })}
      />
      <button type="submit" className="primary">
        Use key
      </button>
      {session.key && (
        <button type="button" onClick={forget}>
          Forget
        </button>
      )}
      <span id={statusId} role="status" className={`key-state ${state.kind}`}>
        {state.kind === 'refused' ? state.message : sentences[state.kind]}
      </span>
    </form>
  )
}
