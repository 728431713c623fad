import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { BecomeShadowDocument, ShadowDocument } from '../../../generated/dashboard/shadow/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { useAction, useData } from '../api/use-data.ts'
import { forgetSession } from '../session/session.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { formatMoment } from '../ui/moment.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { EndShadow } from './end.tsx'
import { Report } from './report.tsx'

const words = texts.shadow

/** A program that computes beside another service: the comparison of both, and the step to this one. */
export function Shadow() {
  const { program, canChange, canManagePeople } = useProgram()
  const { data, failure, retry } = useData(ShadowDocument, {})
  const shown = data?.program
  return (
    <Page
      title={words.title}
      lead={
        <Link to="/$program/settings" params={{ program: program.slug }}>
          {texts.views.settings}
        </Link>
      }
      actions={shown?.isShadow && canManagePeople && <EndShadow name={shown.name} />}
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!shown && !failure && <Skeleton />}
      {shown?.isShadow && <Report />}
      {shown && !shown.isShadow && shown.shadowEndedAt && (
        <Card title={words.ended}>
          <p>{words.endedAt(formatMoment(shown.shadowEndedAt))}</p>
        </Card>
      )}
      {shown && !shown.isShadow && !shown.shadowEndedAt && (
        <Empty
          title={words.isLive}
          text={words.isLiveText}
          action={canChange && <BecomeShadow id={shown.id} name={shown.name} />}
        />
      )}
    </Page>
  )
}

function BecomeShadow({ id, name }: { id: string; name: string }) {
  const [isAsked, setAsked] = useState(false)
  const [update] = useAction(BecomeShadowDocument)
  const become = async () => {
    const { failure } = await update({ input: { id, isShadow: true } })
    // The navigation has a shadow's comparison.
    if (failure === undefined) forgetSession()
    return failure
  }
  return (
    <>
      <button type="button" onClick={() => setAsked(true)}>
        {words.become.action}
      </button>
      <Confirm
        title={words.become.title(name)}
        text={<p>{words.become.text}</p>}
        action={words.become.action}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={become}
      />
    </>
  )
}
