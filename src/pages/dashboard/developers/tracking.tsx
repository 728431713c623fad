import { useState } from 'react'
import { TrackingDocument } from '../../../generated/dashboard/developers/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { serviceUrl } from '../address.ts'
import { action } from '../api/action.ts'
import { useAction, useData } from '../api/use-data.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Moment } from '../ui/moment.tsx'
import { CopyBox } from '../ui/secret.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { snippetOf } from './snippet.ts'

const words = texts.developers.tracking

/** What a website needs to record visits. */
export function Tracking() {
  const { canManageKeys } = useProgram()
  const { data, failure, retry } = useData(TrackingDocument, {})
  const [isRotating, setRotating] = useState(false)
  const program = data?.program
  return (
    <Card title={words.title} lead={words.lead}>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!program && !failure && <Skeleton />}
      {program && (
        <>
          <h3>{words.snippet}</h3>
          <CopyBox
            text={snippetOf(serviceUrl('track.js'), program.publishableKey, program.linkParameters)}
            name={words.snippet}
          />
          <h3>{words.publishableKey}</h3>
          <CopyBox text={program.publishableKey} name={words.publishableKey} />
          {program.previousPublishableKeyEndsAt && (
            <p className="quiet">
              {words.previousEnds} <Moment at={program.previousPublishableKeyEndsAt} />
            </p>
          )}
          {canManageKeys && (
            <button type="button" onClick={() => setRotating(true)}>
              {words.rotate}
            </button>
          )}
          <h3>{words.links}</h3>
          <p className="quiet">{words.linksText}</p>
          <CopyBox text={serviceUrl(`r/${program.slug}/TOKEN`)} name={words.links} />
        </>
      )}
      <Rotate isOpen={isRotating} onClose={() => setRotating(false)} />
    </Card>
  )
}

function Rotate({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { program } = useProgram()
  const [rotate] = useAction(action('rotatePublishableKey'))
  const show = useToast()
  return (
    <Confirm
      title={words.rotateTitle}
      text={<p>{words.rotateText}</p>}
      action={words.rotate}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async () => {
        const { failure } = await rotate({ input: { programId: program.id } })
        if (failure === undefined) show(words.rotated)
        return failure
      }}
    />
  )
}
