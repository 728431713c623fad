import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import {
  type AffiliateRowFragment,
  AffiliatesDocument,
  type AffiliatesQuery,
  type AffiliatesQueryVariables,
} from '../../../generated/dashboard/affiliates/graphql.ts'
import { Day, Email } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import type { Column } from '../../parts/table.tsx'
import type { Filter } from '../list/filters.tsx'
import { ListPage } from '../list/list-page.tsx'
import { useListState } from '../list/use-list-state.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { PhoneUnit } from '../ui/phone-unit.tsx'
import { nameOf, StateBadge, states } from './affiliate.tsx'
import { BulkActions } from './bulk.tsx'
import { CreateAffiliate } from './create-affiliate.tsx'
import { ExportAffiliates } from './export.tsx'
import { ImportAffiliates } from './import/import.tsx'
import { addressed, listedBy } from './listed.ts'
import { useCampaigns } from './use-campaigns.ts'

const words = texts.affiliates

type Opened = 'create' | 'import' | 'export'

/** All affiliates of the program. */
export function Affiliates() {
  const { canChange } = useProgram()
  const { search } = useListState()
  const campaigns = useCampaigns()
  const [opened, setOpened] = useState<Opened>()
  // A selection can reach over several pages.
  const seen = useRef(new Map<string, AffiliateRowFragment>())
  const close = () => setOpened(undefined)
  const create = (
    <button type="button" className="primary" onClick={() => setOpened('create')}>
      {words.create}
    </button>
  )
  return (
    <ListPage<AffiliatesQuery, AffiliatesQueryVariables, AffiliateRowFragment>
      title={texts.views.affiliates}
      views="AFFILIATES"
      lead={words.lead}
      actions={
        <>
          <button type="button" onClick={() => setOpened('export')}>
            {texts.list.export.button}
          </button>
          {canChange && (
            <>
              <button type="button" onClick={() => setOpened('import')}>
                {words.import.button}
              </button>
              {create}
            </>
          )}
        </>
      }
      noun={words.noun}
      document={AffiliatesDocument}
      variables={(given, page) => ({ ...page, ...listedBy(given) })}
      connection={({ affiliates }) => {
        for (const node of affiliates.nodes) seen.current.set(node.id, node)
        return affiliates
      }}
      columns={columns}
      filters={filtersOf(campaigns.all)}
      empty={{ title: words.none, text: words.noneText, ...(canChange && { action: create }) }}
      {...(canChange && {
        bulk: {
          nameOf,
          actions: (keys, clear) => (
            <BulkActions
              affiliates={[...keys].flatMap((key) => seen.current.get(key) ?? [])}
              campaigns={campaigns.active}
              onDone={clear}
            />
          ),
        },
      })}
    >
      <Dialog title={words.create} lead={words.createLead} isOpen={opened === 'create'} onClose={close}>
        <CreateAffiliate campaigns={campaigns} onDone={close} />
      </Dialog>
      <Dialog title={words.import.title} lead={words.import.lead} isOpen={opened === 'import'} onClose={close}>
        <ImportAffiliates campaigns={campaigns} onDone={close} />
      </Dialog>
      <Dialog title={texts.list.export.title} isOpen={opened === 'export'} onClose={close}>
        <ExportAffiliates listed={listedBy(search)} onDone={close} />
      </Dialog>
    </ListPage>
  )
}

const columns: Column<AffiliateRowFragment>[] = [
  { name: words.columns.affiliate, cell: (affiliate) => <Name affiliate={affiliate} />, sort: 'affiliate' },
  { name: words.columns.campaign, cell: ({ campaign }) => campaign.name },
  { name: words.columns.state, cell: ({ state }) => <StateBadge state={state} />, isPlain: true },
  { name: words.columns.createdAt, cell: ({ createdAt }) => <Day at={createdAt} />, sort: 'created' },
  // A phone has no room for three numbers.
  {
    name: words.columns.visitors,
    cell: ({ visitors }) => formatNumber(visitors),
    isNumber: true,
    isEmpty: () => true,
  },
  { name: words.columns.leads, cell: ({ leads }) => formatNumber(leads), isNumber: true, isEmpty: () => true },
  {
    name: words.columns.conversions,
    cell: ({ conversions }) => <PhoneUnit count={conversions} unit={words.conversionUnit(conversions)} />,
    isNumber: true,
  },
]

function Name({ affiliate }: { affiliate: AffiliateRowFragment }) {
  const { program } = useProgram()
  const name = nameOf(affiliate)
  return (
    <>
      <Link to="/$program/affiliates/$id" params={{ program: program.slug, id: affiliate.id }}>
        {name}
      </Link>
      {name !== affiliate.email && (
        <span className="quiet second-line">
          <Email address={affiliate.email} />
        </span>
      )}
    </>
  )
}

const filtersOf = (campaigns: ReturnType<typeof useCampaigns>['all']): Filter[] => [
  { kind: 'text', name: 'search', label: words.search },
  {
    kind: 'choice',
    name: 'state',
    label: words.columns.state,
    options: states.map((state, index) => ({ value: addressed[index] as string, name: words.states[state] })),
  },
  { kind: 'choice', name: 'campaign', label: words.columns.campaign, options: campaigns },
]
