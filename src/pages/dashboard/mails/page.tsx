import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type MailKind,
  type MailRowFragment,
  type MailState,
  MailsDocument,
  type MailWhere,
  SendsMailDocument,
} from '../../../generated/dashboard/mails/graphql.ts'
import { Email } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import type { Column } from '../../parts/table.tsx'
import { useData } from '../api/use-data.ts'
import type { Filter } from '../list/filters.tsx'
import { ListPage } from '../list/list-page.tsx'
import { choiceOf, type ListSearch } from '../list/search.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Moment } from '../ui/moment.tsx'
import { kindName } from './kind-name.ts'
import { Mail } from './mail.tsx'
import { OwnMails } from './own-mails.tsx'

const words = texts.mails

const tones: Record<MailState, Tone> = { PENDING: 'wait', SENT: 'good', FAILED: 'bad', STOPPED: 'plain' }
const states = Object.keys(tones) as MailState[]
const kinds = Object.keys(words.kinds) as MailKind[]

const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, name]) => ({ value: value.toLowerCase(), name }))

const filters: Filter[] = [
  { kind: 'text', name: 'to', label: words.search },
  { kind: 'choice', name: 'kind', label: words.kind, options: optionsOf(words.kinds) },
  { kind: 'choice', name: 'state', label: words.state, options: optionsOf(words.states) },
]

function whereOf({ to, ...search }: ListSearch): MailWhere {
  const kind = choiceOf(search.kind?.toUpperCase(), kinds)
  const state = choiceOf(search.state?.toUpperCase(), states)
  return {
    ...(to && { search: to }),
    ...(kind && { kind: { equals: kind } }),
    ...(state && { state: { equals: state } }),
  }
}

const columns: Column<MailRowFragment>[] = [
  { name: words.to, cell: ({ to }) => <Email address={to} />, csv: ({ to }) => to },
  { name: words.subject, cell: ({ subject }) => subject, csv: ({ subject }) => subject },
  { name: words.kind, cell: ({ kind }) => kindName(kind), csv: ({ kind }) => kindName(kind) },
  { name: words.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, csv: ({ createdAt }) => createdAt },
  {
    name: words.attempts,
    cell: ({ attempts }) => formatNumber(attempts),
    csv: ({ attempts }) => attempts,
    isExtra: true,
  },
  {
    name: words.state,
    cell: ({ state, error }) => (
      <>
        <Badge tone={tones[state]}>{words.states[state]}</Badge>
        {error && <span className="quiet second-line">{error}</span>}
      </>
    ),
    isPlain: true,
    csv: { [words.state]: ({ state }) => words.states[state], [words.error]: ({ error }) => error },
  },
]

/** The outbox of the program, newest first. */
export function Mails() {
  const { program } = useProgram()
  const { data } = useData(SendsMailDocument, {})
  const [opened, setOpened] = useState<MailRowFragment>()
  const close = () => setOpened(undefined)
  const actions: Column<MailRowFragment> = {
    name: texts.actions,
    isPlain: true,
    className: 'row-actions',
    cell: (mail) => (
      <button type="button" onClick={() => setOpened(mail)}>
        {words.open}
        <span className="unseen"> {words.titleOf(mail.subject, mail.to)}</span>
      </button>
    ),
  }
  return (
    <ListPage
      title={texts.views.mails}
      lead={words.lead}
      actions={
        <Link to="/$program/mails/texts" params={{ program: program.slug }} className="button">
          {words.texts.title}
        </Link>
      }
      noun={words.noun}
      document={MailsDocument}
      variables={(search, page) => ({ ...page, where: whereOf(search) })}
      isLive={data?.sendsMail === true}
      connection={({ mails }) => mails}
      columns={[...columns, actions]}
      filters={filters}
      empty={{ title: words.none, text: words.noneText }}
    >
      {data?.sendsMail === false && <p className="warning">{program.isSandbox ? words.sandbox : words.noServer}</p>}
      {data?.myMails && <OwnMails mails={data.myMails} />}
      <Dialog title={opened?.subject ?? ''} lead={opened?.to} isOpen={!!opened} onClose={close}>
        {opened && <Mail mail={opened} isSent={data?.sendsMail === true} onDone={close} />}
      </Dialog>
    </ListPage>
  )
}
