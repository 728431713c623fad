import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { basePath } from '../address.ts'
import { forgetSession } from '../session/session.ts'
import { texts } from '../texts.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { ViewNotLoaded } from './lazy-view.ts'

export const Loading = () => (
  <div className="page">
    <Skeleton lines={6} />
  </div>
)

export function Broken({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const show = useToast()
  return (
    <div className="page">
      <FailureNotice
        message={error instanceof Error ? error.message : texts.failures.internal}
        onRetry={() => {
          if (error instanceof ViewNotLoaded) return loadAgain(() => show(texts.failures.unreachable))
          forgetSession()
          reset()
          void router.invalidate()
        }}
      />
    </div>
  )
}

/** Loads the whole page, because an updated service has other files. Only if it answers: the page stays otherwise. */
const loadAgain = (onUnreachable: () => void): void =>
  void fetch(`${basePath}/`, { method: 'HEAD' }).then(() => location.reload(), onUnreachable)

/** An address that leads nowhere, or to a program that the person cannot open. */
export const Nothing = () => (
  <main className="alone">
    <h1>{texts.nothing.title}</h1>
    <p>{texts.nothing.text}</p>
    <Link to="/" className="button">
      {texts.nothing.link}
    </Link>
  </main>
)

/** Somebody without a role in any program. */
export const NoProgram = () => (
  <main className="alone">
    <h1>{texts.noProgram.title}</h1>
    <p>{texts.noProgram.text}</p>
    <Link to="/account" className="button">
      {texts.views.account}
    </Link>
  </main>
)
