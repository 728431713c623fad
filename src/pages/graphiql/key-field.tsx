import { useId, useRef, useState } from 'react'
import { hasAccess, type KeyState, type Session, startSession, useKeyState, useSession } from './session.ts'

const statusTexts: Record<Exclude<KeyState['kind'], 'accepted' | 'rejected'>, string> = {
  none: 'No key yet.',
  checking: 'Checking …',
  choosing: 'Choose a program: enter its id.',
}

function textOf(state: KeyState, { person }: Session): string {
  if (state.kind === 'rejected') return state.message
  if (state.kind !== 'accepted') return statusTexts[state.kind]
  const program = state.program ? ` to ${state.program}` : ''
  return person ? `Signed in${program} as ${person}.` : `Connected${program}.`
}

/** The form for the key. It is a password field, so that it is hidden in screen shares and recordings. */
export function KeyField() {
  const session = useSession()
  const state = useKeyState()
  const [isVisible, setIsVisible] = useState(false)
  const [draft, setDraft] = useState<Session>(session)
  const field = useRef<HTMLInputElement>(null)
  const [keyId, programId, listId, statusId] = [useId(), useId(), useId(), useId()]
  const forget = () => {
    setDraft({ key: '', programId: '' })
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
          type={isVisible ? 'text' : 'password'}
          value={draft.key}
          placeholder={session.person ? 'not needed' : 'trib_sk_…'}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={statusId}
          aria-invalid={state.kind === 'rejected'}
          onChange={(event) => setDraft({ ...draft, key: event.target.value })}
        />
        <button
          type="button"
          aria-pressed={isVisible}
          aria-label="Show the key"
          onClick={() => setIsVisible(!isVisible)}
        >
          {isVisible ? 'Hide' : 'Show'}
        </button>
      </span>
      <label htmlFor={programId}>Program id</label>
      <input
        id={programId}
        className="program"
        value={draft.programId}
        placeholder="for operators"
        list={listId}
        aria-invalid={state.kind === 'choosing'}
        aria-describedby={statusId}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setDraft({ ...draft, programId: event.target.value })}
      />
      <datalist id={listId}>
        {state.kind === 'choosing' &&
          state.programs.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </datalist>
      <button type="submit" className="primary">
        Use key
      </button>
      {hasAccess(session) && (
        <button type="button" onClick={forget}>
          Forget
        </button>
      )}
      <span id={statusId} role="status" className={`key-state ${state.kind}`} title={textOf(state, session)}>
        {textOf(state, session)}
      </span>
    </form>
  )
}
