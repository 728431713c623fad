import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { BranchesDocument, type BranchRowFragment } from '../../../../generated/dashboard/campaigns/branches/graphql.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { formatCount } from '../../../parts/format.tsx'
import { formatNumber } from '../../../parts/locale.ts'
import { type Column, Table } from '../../../parts/table.tsx'
import { useData } from '../../api/use-data.ts'
import { actorName } from '../../history/timeline.tsx'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CreateBranch } from './create.tsx'

const words = texts.branches

const tones: Record<BranchRowFragment['state'], Tone> = { OPEN: 'wait', ACCEPTED: 'good', DISCARDED: 'plain' }

export const BranchState = ({ state }: Pick<BranchRowFragment, 'state'>) => (
  <Badge tone={tones[state]}>{words.states[state]}</Badge>
)

function BranchLink({ branch: { id, name } }: { branch: BranchRowFragment }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/campaigns/branches/$id" params={{ program: program.slug, id }}>
      {name}
    </Link>
  )
}

const columns: Column<BranchRowFragment>[] = [
  { name: words.columns.name, cell: (branch) => <BranchLink branch={branch} /> },
  { name: words.columns.state, isPlain: true, cell: ({ state }) => <BranchState state={state} /> },
  { name: words.columns.changed, className: 'right', cell: ({ changedSales }) => formatNumber(changedSales) },
  { name: words.columns.made, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { name: words.columns.by, cell: ({ createdBy }) => actorName(createdBy) },
]

/** The branches of the program, newest first. */
export function Branches() {
  const { program, canChange } = useProgram()
  const [isAsked, setAsked] = useState(false)
  const { data, failure, retry } = useData(BranchesDocument, {})
  const rows = data?.branches
  const create = canChange && (
    <button type="button" className="primary" onClick={() => setAsked(true)}>
      {words.create}
    </button>
  )
  return (
    <Page
      title={words.title}
      lead={
        <>
          {words.lead}{' '}
          <Link to="/$program/campaigns" params={{ program: program.slug }}>
            {texts.views.campaigns}
          </Link>
        </>
      }
      actions={rows && rows.length > 0 && create}
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!rows && !failure && <Skeleton />}
      {rows?.length === 0 && <Empty title={words.none} text={words.noneText} action={create} />}
      {rows && rows.length > 0 && (
        <Table caption={formatCount(rows.length, words.noun)} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      <Dialog title={words.create} lead={words.createLead} isOpen={isAsked} onClose={() => setAsked(false)}>
        <CreateBranch />
      </Dialog>
    </Page>
  )
}
