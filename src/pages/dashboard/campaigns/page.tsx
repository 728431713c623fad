import { Link } from '@tanstack/react-router'
import {
  CampaignMoneyDocument,
  type CampaignMoneyQuery,
  CampaignsDocument,
  type CampaignsQuery,
} from '../../../generated/dashboard/campaigns/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import type { Column } from '../../parts/table.tsx'
import { useData } from '../api/use-data.ts'
import { timeZone } from '../figures/ranges.ts'
import { ListPage } from '../list/list-page.tsx'
import { orderOf } from '../list/search.ts'
import { dayColumn } from '../money/columns.tsx'
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
  const { currency } = program
  const { data } = useData(CampaignMoneyDocument, { currency, timeZone })
  const create = canChange && (
    <Link to="/$program/campaigns/$id" params={{ program: program.slug, id: 'new' }} className="button primary">
      {words.create}
    </Link>
  )
  return (
    <ListPage
      title={texts.views.campaigns}
      lead={words.lead}
      actions={
        <>
          <Link to="/$program/campaigns/branches" params={{ program: program.slug }} className="button">
            {texts.branches.title}
          </Link>
          {create}
        </>
      }
      noun={words.noun}
      document={CampaignsDocument}
      variables={(search, page) => ({
        ...page,
        ...(search.show === 'archived' && { includeArchived: true, where: { archivedAt: { not: null } } }),
        orderBy: orderOf(search, { campaign: 'NAME', created: 'CREATED_AT' } as const),
      })}
      connection={({ campaigns }) => campaigns}
      columns={[...columns, ...moneyColumns(data?.analytics, currency)]}
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
  {
    name: words.columns.name,
    cell: (campaign) => <Name campaign={campaign} />,
    sort: 'campaign',
    csv: ({ name }) => name,
  },
  { name: words.columns.reward, cell: rewardOf, isPlain: true, csv: rewardOf },
  {
    name: words.columns.state,
    cell: (campaign) => <CampaignState campaign={campaign} />,
    isPlain: true,
    csv: (campaign) => statesOf(campaign).join(', '),
  },
  dayColumn(words.columns.createdAt, ({ createdAt }) => createdAt, { sort: 'created' }),
  {
    name: words.columns.affiliates,
    cell: ({ affiliates: { totalCount } }) => <PhoneUnit count={totalCount} unit={words.affiliateUnit(totalCount)} />,
    isNumber: true,
    csv: ({ affiliates }) => affiliates.totalCount,
  },
]

/** What the campaigns have brought in twelve months. Empty while it is loading: nothing moves when it comes. */
function moneyColumns(brought: CampaignMoneyQuery['analytics'] | undefined, currency: string): Column<Row>[] {
  const revenueOf = ({ id }: Row) => brought?.revenue.find(({ subjectId }) => subjectId === id)?.money?.amountCents ?? 0
  const conversionsOf = ({ id }: Row) => brought?.conversions.find(({ subjectId }) => subjectId === id)?.value ?? 0
  return [
    {
      name: words.columns.revenue,
      cell: (campaign) => brought && formatMoney(revenueOf(campaign), currency),
      isNumber: true,
      csv: (campaign) => ({ cents: revenueOf(campaign), currency }),
    },
    {
      name: words.columns.conversions,
      cell: (campaign) => brought && formatNumber(conversionsOf(campaign)),
      isNumber: true,
      csv: conversionsOf,
    },
  ]
}

function Name({ campaign: { id, name } }: { campaign: Row }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/campaigns/$id" params={{ program: program.slug, id }}>
      {name}
    </Link>
  )
}

const statesOf = ({ isDefault, archivedAt, private: isPrivate }: StateProps['campaign']): string[] => {
  if (archivedAt !== null) return [words.states.archived]
  return [...(isDefault ? [words.states.default] : []), isPrivate ? words.states.private : words.states.open]
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
