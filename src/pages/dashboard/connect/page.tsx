import { useCallback, useEffect, useState } from 'react'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { type PostError, post } from '../api/post.ts'
import { useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Door } from '../ui/door.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { type Asked, ConsentForm } from './consent-form.tsx'

const words = texts.connect

type State = { asked: Asked } | { rejection: string; canRetry: boolean } | { isLeaving: true } | undefined

/** A person lets an application act as them in a program, or does not. */
export function Connect() {
  const { person } = useSession()
  const [request] = useState(() => Object.fromEntries(new URLSearchParams(location.search)))
  const [state, setState] = useState<State>()
  const leave = useCallback((to: string) => {
    setState({ isLeaving: true })
    location.assign(to)
  }, [])
  const load = useCallback(async () => {
    setState(undefined)
    try {
      const answer = await post<Asked | { redirectTo: string }>('connect/read', request)
      if ('redirectTo' in answer) leave(answer.redirectTo)
      else setState({ asked: answer })
    } catch (error) {
      const { message, status } = error as PostError
      setState({ rejection: message, canRetry: !status || status >= 500 })
    }
  }, [request, leave])
  useEffect(() => {
    void load()
  }, [load])
  if (!state)
    return (
      <Door title={words.loading}>
        <Skeleton />
      </Door>
    )
  if ('isLeaving' in state) return <Door title={words.loading} lead={words.leaving} />
  if ('rejection' in state)
    return (
      <Door title={words.rejected} lead={state.canRetry ? undefined : state.rejection}>
        {state.canRetry ? (
          <FailureNotice message={state.rejection} onRetry={load} />
        ) : (
          <p className="hint">{words.rejectedHint}</p>
        )}
      </Door>
    )
  return (
    <Door title={words.title(state.asked.name)} lead={words.lead(person.email)}>
      <ConsentForm asked={state.asked} request={request} onDone={leave} />
    </Door>
  )
}
