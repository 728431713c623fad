import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type ApplicationFragment,
  ApplicationsDocument,
  type ApplicationWhere,
  SuspectedDocument,
} from '../../../generated/dashboard/applications/graphql.ts'
import { Email } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { serviceUrl } from '../address.ts'
import { nameOf } from '../affiliate-name.tsx'
import { useData } from '../api/use-data.ts'
import type { Filter } from '../list/filters.tsx'
import { ListPage } from '../list/list-page.tsx'
import { choiceOf, type ListSearch } from '../list/search.ts'
import { dayColumn } from '../money/columns.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CopyBox } from '../ui/secret.tsx'
import {
  ApplicationFacts,
  answersOf,
  isWaiting,
  knownOf,
  StateBadge,
  states,
  useAskedFields,
  useCampaignName,
  warningsOf,
} from './application.tsx'
import { Decide, type Decision } from './decide.tsx'
import { Invite } from './invite.tsx'

const words = texts.applications

const all = 'all'
const shown = [all, ...states.map((state) => state.toLowerCase())]

/** Without a choice, the list has those that wait. */
function whereOf({ state, search, disposable }: ListSearch): ApplicationWhere {
  const chosen = choiceOf(state, shown)?.toUpperCase()
  return {
    ...(chosen !== 'ALL' && { state: { equals: states.find((one) => one === chosen) ?? 'APPLIED' } }),
    ...(search && { search }),
    ...(disposable && { isDisposable: { equals: disposable === 'yes' } }),
  }
}

const filters: Filter[] = [
  { kind: 'text', name: 'search', label: words.search },
  {
    kind: 'choice',
    name: 'state',
    label: words.columns.state,
    all: words.states.APPLIED,
    options: shown
      .filter((value) => value !== 'applied')
      .map((value) => ({
        value,
        name: value === all ? texts.list.all : words.states[value.toUpperCase() as 'APPLIED'],
      })),
  },
  {
    kind: 'choice',
    name: 'disposable',
    label: words.disposable,
    options: [
      { value: 'yes', name: texts.money.yes },
      { value: 'no', name: words.no },
    ],
  },
]

function useColumns(onOpen: (application: ApplicationFragment) => void): Column<ApplicationFragment>[] {
  const asked = useAskedFields()
  const campaignOf = useCampaignName()
  const textOf = (application: ApplicationFragment) =>
    answersOf(application, asked)
      .map(({ label, value }) => `${label}: ${value}`)
      .join('; ')
  return [
    {
      name: words.columns.applicant,
      cell: (application) => (
        <>
          {nameOf(application)}
          {nameOf(application) !== application.email && (
            <span className="quiet second-line">
              <Email address={application.email} />
            </span>
          )}
        </>
      ),
      csv: {
        email: ({ email }) => email,
        first_name: ({ firstName }) => firstName,
        last_name: ({ lastName }) => lastName,
      },
    },
    {
      name: words.columns.known,
      cell: (application) => (
        <span>
          {application.isInvited && <Badge tone="good">{words.isInvited}</Badge>}
          {application.referredBy && <Badge tone="good">{words.referredBy(application.referredBy.email)}</Badge>}
          {warningsOf(application).map((warning) => (
            <Badge key={warning} tone="wait">
              {warning}
            </Badge>
          ))}
        </span>
      ),
      isEmpty: (application) => knownOf(application).length === 0,
      csv: (application) => knownOf(application).join('; '),
    },
    ...(asked.length === 0
      ? []
      : [
          {
            name: words.columns.answers,
            cell: textOf,
            isEmpty: ({ fields }: ApplicationFragment) => fields.length === 0,
            csv: textOf,
          },
        ]),
    { name: texts.money.campaign, cell: campaignOf, csv: campaignOf },
    dayColumn(words.columns.createdAt, ({ createdAt }) => createdAt),
    {
      name: words.columns.state,
      cell: ({ state, reason }) => (
        <>
          <StateBadge state={state} />
          {reason && <span className="quiet second-line">{reason}</span>}
        </>
      ),
      isPlain: true,
      csv: { [words.columns.state]: ({ state }) => words.states[state], [words.reason]: ({ reason }) => reason },
    },
    {
      name: texts.actions,
      isPlain: true,
      className: 'row-actions',
      cell: (application) => (
        <button type="button" onClick={() => onOpen(application)}>
          {texts.details}
          <span className="unseen"> {nameOf(application)}</span>
        </button>
      ),
    },
  ]
}

/** Leads to what a program may have sent: it waits apart. */
function SuspectedLink() {
  const { program } = useProgram()
  const count = useData(SuspectedDocument, {}).data?.applications.totalCount ?? 0
  if (count === 0) return null
  return (
    <Link to="/$program/applications" params={{ program: program.slug }} search={{ state: 'suspected_spam' }}>
      {words.suspected(count)}
    </Link>
  )
}

type Asked = { decision: Decision; rows: readonly ApplicationFragment[]; clear(): void }

/** The people who want to become affiliates. */
export function Applications() {
  const { program, canChange } = useProgram()
  const [opened, setOpened] = useState<ApplicationFragment>()
  const [asked, setAsked] = useState<Asked>()
  const [isInviting, setInviting] = useState(false)
  const columns = useColumns(setOpened)
  const close = () => setOpened(undefined)
  const ask = (decision: Decision, rows: readonly ApplicationFragment[], clear: () => void) => {
    close()
    setAsked({ decision, rows, clear })
  }
  const buttons = (rows: readonly ApplicationFragment[], clear = () => {}) => (
    <>
      <button type="button" className="danger-text" onClick={() => ask('reject', rows, clear)}>
        {words.reject} …
      </button>
      <button type="button" className="primary" onClick={() => ask('approve', rows, clear)}>
        {words.approve} …
      </button>
    </>
  )
  return (
    <>
      <ListPage
        title={texts.views.applications}
        lead={words.lead}
        actions={
          <>
            <SuspectedLink />
            <Link to="/$program/applications/join" params={{ program: program.slug }} className="button">
              {words.join.title}
            </Link>
            {canChange && (
              <button type="button" className="primary" onClick={() => setInviting(true)}>
                {words.invite.open}
              </button>
            )}
          </>
        }
        noun={words.noun}
        document={ApplicationsDocument}
        variables={(search, page) => ({ ...page, where: whereOf(search) })}
        connection={({ applications }) => applications}
        columns={columns}
        filters={filters}
        empty={{
          title: words.none,
          text: words.noneText,
          action: <CopyBox text={serviceUrl(`join/${program.slug}`)} name={words.join.link} />,
        }}
        {...(canChange && {
          bulk: {
            nameOf,
            actions: (_keys: ReadonlySet<string>, clear: () => void, rows: readonly ApplicationFragment[]) =>
              buttons(rows, clear),
          },
        })}
      />
      <Dialog title={opened ? nameOf(opened) : ''} isOpen={!!opened} onClose={close}>
        {opened && <ApplicationFacts application={opened} />}
        {opened && isWaiting(opened) && canChange && <div className="dialog-foot">{buttons([opened])}</div>}
      </Dialog>
      <Dialog title={words.invite.open} lead={words.invite.lead} isOpen={isInviting} onClose={() => setInviting(false)}>
        <Invite onDone={() => setInviting(false)} />
      </Dialog>
      <Decide
        decision={asked?.decision ?? 'approve'}
        applications={asked?.rows}
        onClose={() => setAsked(undefined)}
        onDone={() => asked?.clear()}
      />
    </>
  )
}
