import { Link } from '@tanstack/react-router'
import { CampaignsDocument, type CampaignsQuery } from '../../../generated/dashboard/campaigns/graphql.ts'
import { Day } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { ListPage } from '../list/list-page.tsx'
import { orderOf } from '../list/search.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Badge } from '../ui/badge.tsx'
import { PhoneUnit } from '../ui/phone-unit.tsx'
import { rewardOf } from './reward.ts'

const words = texts.campaigns

type Row = CampaignsQuery['campaigns']['nodes'][number]

/** All campaigns of the program. */
export function Campaigns() {
  const { program, canChange } = useProgram()
  const create = canChange && (
    <Link to="/$program/campaigns/$id" params={{ program: program.slug, id: 'new' }} className="button primary">
      {words.create}
    </Link>
  )
  return (
    <ListPage
      title={texts.views.campaigns}
      lead={words.lead}
      actions={create}
      noun={words.noun}
      document={CampaignsDocument}
      variables={(search, page) => ({
        ...page,
        ...(search.show === 'archived' && { includeArchived: true, where: { archivedAt: { not: null } } }),
        orderBy: orderOf(search, { campaign: 'NAME', created: 'CREATED_AT' } as const),
      })}
      connection={({ campaigns }) => campaigns}
      columns={columns}
      filters={[
        {
          kind: 'choice',
          name: 'show',
          label: words.show,
          all: words.shown.active,
          options: [{ value: 'archived', name: words.shown.archived }],
        },
      ]}
      empty={{ title: words.none, text: words.noneText, action: create }}
    />
  )
}

const columns: Column<Row>[] = [
  { name: words.columns.name, cell: (campaign) => <Name campaign={campaign} />, sort: 'campaign' },
  { name: words.columns.reward, cell: rewardOf, isPlain: true },
  { name: words.columns.state, cell: (campaign) => <CampaignState campaign={campaign} />, isPlain: true },
  { name: words.columns.createdAt, cell: ({ createdAt }) => <Day at={createdAt} />, sort: 'created' },
  {
    name: words.columns.affiliates,
    cell: ({ affiliates: { totalCount } }) => <PhoneUnit count={totalCount} unit={words.affiliateUnit(totalCount)} />,
    isNumber: true,
  },
]

function Name({ campaign: { id, name } }: { campaign: Row }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/campaigns/$id" params={{ program: program.slug, id }}>
      {name}
    </Link>
  )
}

type StateProps = { campaign: { isDefault: boolean; archivedAt: string | null; private: boolean } }

export const CampaignState = ({ campaign: { isDefault, archivedAt, private: isPrivate } }: StateProps) => {
  if (archivedAt !== null) return <Badge tone="plain">{words.states.archived}</Badge>
  return (
    <>
      {isDefault && <Badge tone="good">{words.states.default}</Badge>}
      <Badge tone={isPrivate ? 'wait' : 'plain'}>{isPrivate ? words.states.private : words.states.open}</Badge>
    </>
  )
}
