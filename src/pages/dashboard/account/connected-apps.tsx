import { useCallback, useEffect, useState } from 'react'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { post } from '../api/post.ts'
import { texts } from '../texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Moment } from '../ui/moment.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.account

type ConnectedApp = {
  id: string
  name: string
  host: string
  canPropose: boolean
  program: { name: string }
  createdAt: string
  lastUsedAt: string | null
}

/** What acts as the person in a program, such as an assistant. */
export function ConnectedApps() {
  const show = useToast()
  const [apps, setApps] = useState<ConnectedApp[]>()
  const [failure, setFailure] = useState<string>()
  const [ending, setEnding] = useState<ConnectedApp>()
  const load = useCallback(async () => {
    setFailure(undefined)
    try {
      setApps((await post<{ apps: ConnectedApp[] }>('apps/read', {})).apps)
    } catch (error) {
      setFailure((error as Error).message)
    }
  }, [])
  useEffect(() => {
    void load()
  }, [load])
  async function end(): Promise<string | undefined> {
    try {
      await post('apps/end', { id: ending?.id })
      show(words.appEnded)
      await load()
    } catch (error) {
      return (error as Error).message
    }
  }
  return (
    <Card title={words.apps} lead={words.appsLead}>
      {failure && <FailureNotice message={failure} onRetry={load} />}
      {!apps && !failure && <Skeleton />}
      {apps?.length === 0 && <p className="quiet">{words.noApps}</p>}
      <ul className="entries">
        {apps?.map((app) => (
          <li key={app.id}>
            <div>
              <p className="entry-title">
                {app.name} <Badge tone="plain">{app.canPropose ? words.appProposes : words.appReads}</Badge>
              </p>
              <p className="quiet">
                {words.appIn({ host: app.host, program: app.program.name })} · {words.connectedAt}{' '}
                <Moment at={app.createdAt} />
                {app.lastUsedAt && (
                  <>
                    , {words.appUsed} <Moment at={app.lastUsedAt} />
                  </>
                )}
              </p>
            </div>
            <button type="button" onClick={() => setEnding(app)}>
              {words.endApp}
              <span className="unseen"> {app.name}</span>
            </button>
          </li>
        ))}
      </ul>
      <Confirm
        title={words.endAppTitle(ending?.name ?? '')}
        text={<p>{words.endAppLead}</p>}
        action={words.endApp}
        isOpen={ending !== undefined}
        onClose={() => setEnding(undefined)}
        onConfirm={end}
      />
    </Card>
  )
}
