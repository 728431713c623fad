import { useEffect } from 'react'
import { createSendOperation, type Result } from './send-operation.ts'
import { type Program, recordKeyState, useKeyState, useSession } from './session.ts'

/** API keys and affiliate tokens belong to a program. Any other accepted token is the operator's. */
const belongsToProgram = (key: string) => /^trib_(sk|at)_/.test(key)

/**
 * Asks an operator for a program: the service accepts the operator token alone, but reads no program's data with it.
 */
export function useProgramChoice(): void {
  const session = useSession()
  const { kind } = useKeyState()
  const isOperatorAlone =
    kind === 'accepted' && session.programId === '' && session.key !== '' && !belongsToProgram(session.key)
  useEffect(() => {
    if (!isOperatorAlone) return
    const send = createSendOperation(session, () => {})
    send({ query: 'query Programs { programs { id name } }' }).then(
      (result) => {
        const { data, errors } = result as Result
        if (errors?.length) return
        const { programs = [] } = (data ?? {}) as { programs?: Program[] }
        recordKeyState(session, { kind: 'choosing', programs })
      },
      // The next request reports that the service cannot be reached.
      () => {},
    )
  }, [isOperatorAlone, session])
}

/** Asks for the name of the program that the session belongs to. */
export function useProgramName(): void {
  const session = useSession()
  const state = useKeyState()
  const hasProgram = belongsToProgram(session.key) || session.programId !== ''
  const isUnknown = state.kind === 'accepted' && state.program === undefined && hasProgram
  useEffect(() => {
    if (!isUnknown) return
    const send = createSendOperation(session, () => {})
    send({ query: 'query ProgramName { program { name } }' }).then(
      (result) => {
        const { data } = result as { data?: { program?: { name: string } | null } }
        // Affiliate tokens do not read it.
        recordKeyState(session, { kind: 'accepted', program: data?.program?.name ?? '' })
      },
      () => {},
    )
  }, [isUnknown, session])
}
