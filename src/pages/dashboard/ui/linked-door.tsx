import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { type PostError, post } from '../api/post.ts'
import { Door } from './door.tsx'
import { Skeleton } from './skeleton.tsx'

type LinkedDoorProps<Read> = {
  /** The endpoint that reads the link. */
  path: string
  token: string
  loading: string
  rejected: string
  children(read: Read): ReactNode
}

type State<Read> = { read: Read } | { rejection: string; canRetry: boolean } | undefined

/** A view that a link with a token leads to. It says whether the link works before anything is typed. */
export function LinkedDoor<Read>({ path, token, loading, rejected, children }: LinkedDoorProps<Read>) {
  const [state, setState] = useState<State<Read>>()
  const load = useCallback(async () => {
    setState(undefined)
    try {
      setState({ read: await post<Read>(path, { token }) })
    } catch (error) {
      const { message, status } = error as PostError
      setState({ rejection: message, canRetry: status !== 401 })
    }
  }, [path, token])
  useEffect(() => {
    void load()
  }, [load])
  if (!state)
    return (
      <Door title={loading}>
        <Skeleton />
      </Door>
    )
  if ('read' in state) return children(state.read)
  return (
    <Door title={rejected} lead={state.canRetry ? undefined : state.rejection}>
      {state.canRetry && <FailureNotice message={state.rejection} onRetry={load} />}
    </Door>
  )
}
