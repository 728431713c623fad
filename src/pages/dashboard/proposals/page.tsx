import { useState } from 'react'
import {
  type ProposalFragment,
  ProposalsDocument,
  type ProposalWhere,
} from '../../../generated/dashboard/proposals/graphql.ts'
import type { Column } from '../../parts/table.tsx'
import type { Filter } from '../list/filters.tsx'
import { ListPage } from '../list/list-page.tsx'
import { choiceOf, type ListSearch } from '../list/search.ts'
import { dayColumn } from '../money/columns.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ChangeForm, ConfirmForm, RejectForm } from './decide.tsx'
import { amountOf, kindOf, ProposalFacts, StateBadge, states } from './proposal.tsx'

const words = texts.proposals
const all = 'all'
const shown = [all, ...states.map((state) => state.toLowerCase())]

/** Without a choice, the list has those that wait. */
function whereOf({ state }: ListSearch): ProposalWhere {
  const chosen = choiceOf(state, shown)?.toUpperCase()
  return chosen === 'ALL' ? {} : { state: { equals: states.find((one) => one === chosen) ?? 'OPEN' } }
}

const filters: Filter[] = [
  {
    kind: 'choice',
    name: 'state',
    label: words.columns.state,
    all: words.states.OPEN,
    options: shown
      .filter((value) => value !== 'open')
      .map((value) => ({
        value,
        name: value === all ? texts.list.all : words.states[value.toUpperCase() as 'OPEN'],
      })),
  },
]

const columnsOf = (onOpen: (proposal: ProposalFragment) => void): Column<ProposalFragment>[] => [
  { name: words.columns.kind, cell: kindOf, csv: kindOf },
  {
    name: words.columns.effect,
    cell: ({ effect, reason }) => (
      <>
        {effect.text}
        <span className="quiet second-line">{reason}</span>
      </>
    ),
    csv: { [words.columns.effect]: ({ effect }) => effect.text, [words.columns.reason]: ({ reason }) => reason },
  },
  {
    name: words.columns.amount,
    isNumber: true,
    cell: (proposal) => amountOf(proposal) ?? '–',
    csv: (proposal) => amountOf(proposal),
  },
  { name: words.columns.proposedBy, cell: ({ proposedBy }) => proposedBy, csv: ({ proposedBy }) => proposedBy },
  dayColumn(words.columns.expiresAt, ({ expiresAt }) => expiresAt),
  {
    name: words.columns.state,
    cell: ({ state }) => <StateBadge state={state} />,
    isPlain: true,
    csv: ({ state }) => words.states[state],
  },
  {
    name: texts.actions,
    isPlain: true,
    className: 'row-actions',
    cell: (proposal) => (
      <button type="button" onClick={() => onOpen(proposal)}>
        {texts.details}
        <span className="unseen"> {proposal.effect.text}</span>
      </button>
    ),
  },
]

type Step = 'confirm' | 'reject' | 'change'

/** What was proposed, with its effect in money. A person confirms, changes or rejects it. */
export function Proposals() {
  const { canChange } = useProgram()
  const [opened, setOpened] = useState<ProposalFragment>()
  const [step, setStep] = useState<Step>('confirm')
  const close = () => setOpened(undefined)
  const open = (proposal: ProposalFragment) => {
    setStep('confirm')
    setOpened(proposal)
  }
  return (
    <>
      <ListPage
        title={texts.views.proposals}
        lead={words.lead}
        noun={words.noun}
        document={ProposalsDocument}
        variables={(search, page) => ({ ...page, where: whereOf(search) })}
        connection={({ proposals }) => proposals}
        columns={columnsOf(open)}
        filters={filters}
        empty={{ title: words.none, text: words.noneText }}
      />
      <Dialog
        title={opened ? (step === 'reject' ? words.rejectTitle : kindOf(opened)) : ''}
        isOpen={!!opened}
        onClose={close}
      >
        {opened && step !== 'change' && <ProposalFacts proposal={opened} />}
        {opened?.state === 'OPEN' && canChange && (
          <Decision proposal={opened} step={step} onStep={setStep} onDone={close} />
        )}
      </Dialog>
    </>
  )
}

type DecisionProps = { proposal: ProposalFragment; step: Step; onStep(step: Step): void; onDone(): void }

function Decision({ proposal, step, onStep, onDone }: DecisionProps) {
  if (step === 'reject') return <RejectForm proposal={proposal} onDone={onDone} />
  if (step === 'change') return <ChangeForm proposal={proposal} onDone={onDone} />
  return (
    <>
      <p>
        <button type="button" onClick={() => onStep('change')}>
          {words.change} …
        </button>{' '}
        <button type="button" className="danger-text" onClick={() => onStep('reject')}>
          {words.reject} …
        </button>
      </p>
      <ConfirmForm proposal={proposal} onDone={onDone} />
    </>
  )
}
