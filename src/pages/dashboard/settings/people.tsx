import { useState } from 'react'
import {
  type InvitationRowFragment as Invitation,
  type MemberRowFragment as Member,
  PeopleDocument,
} from '../../../generated/dashboard/settings/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { Day, formatCount } from '../../parts/format.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { action } from '../api/action.ts'
import { useAction, useData } from '../api/use-data.ts'
import { useAsked } from '../find/use-asked.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Scrolls } from '../ui/scrolls.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { ChangeRole, Invite } from './person-forms.tsx'

const words = texts.settings.people

const memberColumns: Column<Member>[] = [
  { name: texts.fields.name, cell: ({ person }) => person.name },
  { name: texts.fields.email, cell: ({ person }) => person.email },
  { name: words.role, cell: ({ role }) => words.roles[role].name },
  { name: words.secondFactor, cell: ({ person }) => (person.hasSecondFactor ? words.yes : words.no) },
  { name: words.since, cell: ({ createdAt }) => <Day at={createdAt} /> },
]
const invitationColumns: Column<Invitation>[] = [
  { name: texts.fields.email, cell: ({ email }) => email },
  { name: words.role, cell: ({ role }) => words.roles[role].name },
  { name: words.expires, cell: ({ expiresAt }) => <Day at={expiresAt} /> },
]

/** What is open over the list. */
type Open =
  | { what: 'invite' }
  | { what: 'change' | 'remove'; member: Member }
  | { what: 'revoke'; invitation: Invitation }

/** The people who have access to the program, and those who are invited. Only owners see them. */
export function People() {
  const { canManagePeople } = useProgram()

  const { data, failure, retry } = useData(PeopleDocument, {}, { pause: !canManagePeople })
  const [open, setOpen] = useState<Open>()
  useAsked('invite', () => canManagePeople && setOpen({ what: 'invite' }))
  const close = () => setOpen(undefined)
  if (!canManagePeople) return <Card title={words.title} lead={words.ownersOnly} />
  const invite = (
    <button type="button" className="primary" onClick={() => setOpen({ what: 'invite' })}>
      {words.invite}
    </button>
  )
  const hasPeople = data && data.members.length + data.invitations.length > 0
  return (
    <Card title={words.title} lead={words.lead} actions={hasPeople && invite}>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && !hasPeople && <Empty title={words.none} text={words.noneText} action={invite} />}
      {data && data.members.length > 0 && (
        <Scrolls name={words.title}>
          <Table
            caption={formatCount(data.members.length, 'person')}
            columns={[
              ...memberColumns,
              actions<Member>((member) => [
                { name: words.changeRole, of: member.person.name, open: { what: 'change', member } },
                { name: words.remove, of: member.person.name, open: { what: 'remove', member }, isDanger: true },
              ]),
            ]}
            rows={data.members}
            keyOf={({ id }) => id}
          />
        </Scrolls>
      )}
      {data && data.invitations.length > 0 && (
        <Scrolls name={words.invitations}>
          <Table
            caption={formatCount(data.invitations.length, 'open invitation')}
            columns={[
              ...invitationColumns,
              actions<Invitation>((invitation) => [
                { name: words.revoke, of: invitation.email, open: { what: 'revoke', invitation }, isDanger: true },
              ]),
            ]}
            rows={data.invitations}
            keyOf={({ id }) => id}
          />
        </Scrolls>
      )}
      <Dialog title={words.invite} lead={words.inviteLead} isOpen={open?.what === 'invite'} onClose={close}>
        <Invite onDone={close} />
      </Dialog>
      <Dialog
        title={words.changeTitle(open?.what === 'change' ? open.member.person.name : '')}
        isOpen={open?.what === 'change'}
        onClose={close}
      >
        {open?.what === 'change' && <ChangeRole member={open.member} onDone={close} />}
      </Dialog>
      <Remove member={open?.what === 'remove' ? open.member : undefined} onClose={close} />
      <Revoke invitation={open?.what === 'revoke' ? open.invitation : undefined} onClose={close} />
    </Card>
  )

  function actions<Row>(of: (row: Row) => { name: string; of: string; open: Open; isDanger?: boolean }[]): Column<Row> {
    return {
      name: texts.actions,
      isPlain: true,
      className: 'row-actions',
      cell: (row) =>
        of(row).map((action) => (
          <button
            key={action.name}
            type="button"
            className={action.isDanger ? 'danger-text' : undefined}
            onClick={() => setOpen(action.open)}
          >
            {action.name}
            <span className="unseen"> {action.of}</span>
          </button>
        )),
    }
  }
}

function Remove({ member, onClose }: { member: Member | undefined; onClose(): void }) {
  const { program } = useProgram()
  const [removeMember] = useAction(action('removeMember'))
  const show = useToast()
  const name = member?.person.name ?? ''
  return (
    <Confirm
      title={words.removeTitle(name)}
      text={<p>{words.removeText(member?.person.email ?? '', program.name)}</p>}
      action={words.remove}
      isOpen={!!member}
      onClose={onClose}
      onConfirm={async () => {
        const { failure } = await removeMember({ input: { personId: member?.person.id ?? '' } })
        if (failure === undefined) show(words.wasRemoved(name))
        return failure
      }}
    />
  )
}

function Revoke({ invitation, onClose }: { invitation: Invitation | undefined; onClose(): void }) {
  const [revokeInvitation] = useAction(action('revokeInvitation'))
  const show = useToast()
  const email = invitation?.email ?? ''
  return (
    <Confirm
      title={words.revokeTitle(email)}
      text={<p>{words.revokeText}</p>}
      action={words.revoke}
      isOpen={!!invitation}
      onClose={onClose}
      onConfirm={async () => {
        const { failure } = await revokeInvitation({ input: { id: invitation?.id ?? '' } })
        if (failure === undefined) show(words.wasRevoked(email))
        return failure
      }}
    />
  )
}
