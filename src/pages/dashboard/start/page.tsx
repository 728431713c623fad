import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { StartDocument } from '../../../generated/dashboard/start/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { useAsksAgain } from '../api/use-asks-again.ts'
import { useData } from '../api/use-data.ts'
import { useProgram, useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ProgramStep } from './program-step.tsx'
import { SalesStep } from './sales-step.tsx'
import { SiteStep } from './site-step.tsx'
import { doneSteps, type Step } from './state.ts'

const words = texts.start

/** The first hour of a program: its rate, its site, its sales. It follows what arrives while it is open. */
export function Start() {
  const { program } = useProgram()
  const { person } = useSession()
  const navigate = useNavigate()
  const { data, failure, retry } = useData(StartDocument, {})
  useAsksAgain(true, retry)
  const done = data && doneSteps(data)
  const count = Object.values(done ?? {}).filter(Boolean).length
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <>
          {person.isOperator && count === 3 && (
            <button type="button" onClick={() => void navigate({ to: '/programs', state: { asked: 'create' } })}>
              {words.own}
            </button>
          )}
          <Link to="/$program/home" params={{ program: program.slug }} className="button primary">
            {words.leave}
          </Link>
        </>
      }
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton lines={6} />}
      {data && done && (
        <>
          <p role="status">{words.progress(count)}</p>
          <StepCard step="program" isDone={done.program}>
            <ProgramStep start={data} />
          </StepCard>
          <StepCard step="site" isDone={done.site}>
            <SiteStep start={data} />
          </StepCard>
          <StepCard step="sales" isDone={done.sales}>
            <SalesStep start={data} />
          </StepCard>
          <p className="quiet">{words.later}</p>
        </>
      )}
    </Page>
  )
}

const StepCard = ({ step, isDone, children }: { step: Step; isDone: boolean; children: ReactNode }) => (
  <Card
    title={words[step].title}
    lead={words[step].lead}
    className={isDone ? 'start-step done' : 'start-step'}
    actions={<span className="start-state">{isDone ? words.done : words.open}</span>}
  >
    {children}
  </Card>
)
