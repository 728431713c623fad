import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import {
  type AffiliateRowFragment,
  AffiliatesDocument,
  type AffiliatesQuery,
  type AffiliatesQueryVariables,
} from '../../../generated/dashboard/affiliates/graphql.ts'
import { nameOf, states } from '../affiliate-name.tsx'
import { useAsked } from '../find/use-asked.ts'
import type { Filter } from '../list/filters.tsx'
import { ListPage } from '../list/list-page.tsx'
import { useListState } from '../list/use-list-state.ts'
import { WriteMail } from '../mails/write/write-mail.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { BulkActions } from './bulk.tsx'
import { columns } from './columns.tsx'
import { CreateAffiliate } from './create-affiliate.tsx'
import { useGroups } from './group-menu.tsx'
import { ImportAffiliates } from './import/import.tsx'
import { addressed, listedBy } from './listed.ts'
import { ownColumns, ownFilters, useOwnFields } from './own-fields.tsx'
import { useCampaigns } from './use-campaigns.ts'

const words = texts.affiliates

type Opened = 'create' | 'import'

/** All affiliates of the program. */
export function Affiliates() {
  const { program, canChange } = useProgram()
  const { search } = useListState()
  const campaigns = useCampaigns()
  const groups = useGroups()
  const definitions = useOwnFields()
  const [opened, setOpened] = useState<Opened>()
  useAsked('create', () => canChange && setOpened('create'))
  useAsked('import', () => canChange && setOpened('import'))
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
          <Link to="/$program/affiliates/assets" params={{ program: program.slug }} className="button">
            {texts.assets.title}
          </Link>
          {canChange && <WriteMail where={listedBy(search, definitions).where} />}
          {canChange && (
            <button type="button" onClick={() => setOpened('import')}>
              {words.import.button}
            </button>
          )}
          {canChange && create}
        </>
      }
      noun={words.noun}
      document={AffiliatesDocument}
      variables={(given, page) => ({ ...page, ...listedBy(given, definitions) })}
      connection={({ affiliates }) => {
        for (const node of affiliates.nodes) seen.current.set(node.id, node)
        return affiliates
      }}
      columns={[...columns, ...ownColumns<AffiliateRowFragment>(definitions ?? [])]}
      filters={[...filtersOf(campaigns.all, groups), ...ownFilters(definitions ?? [])]}
      empty={{ title: words.none, text: words.noneText, ...(canChange && { action: create }) }}
      {...(canChange && {
        bulk: {
          nameOf,
          actions: (keys, clear) => (
            <BulkActions
              affiliates={[...keys].flatMap((key) => seen.current.get(key) ?? [])}
              campaigns={campaigns.active}
              definitions={definitions ?? []}
              onDone={clear}
            />
          ),
        },
      })}
    >
      <Dialog title={words.create} lead={words.createLead} isOpen={opened === 'create'} onClose={close}>
        {definitions && <CreateAffiliate campaigns={campaigns} definitions={definitions} onDone={close} />}
      </Dialog>
      <Dialog title={words.import.title} lead={words.import.lead} isOpen={opened === 'import'} onClose={close}>
        <ImportAffiliates campaigns={campaigns} definitions={definitions ?? []} onDone={close} />
      </Dialog>
    </ListPage>
  )
}

const filtersOf = (
  campaigns: ReturnType<typeof useCampaigns>['all'],
  groups: ReturnType<typeof useGroups>,
): Filter[] => [
  { kind: 'text', name: 'search', label: words.search },
  {
    kind: 'choice',
    name: 'state',
    label: words.columns.state,
    options: states.map((state, index) => ({ value: addressed[index] as string, name: words.states[state] })),
  },
  { kind: 'choice', name: 'campaign', label: words.columns.campaign, options: campaigns },
  ...(groups.length > 0
    ? [
        {
          kind: 'choice' as const,
          name: 'group',
          label: words.columns.group,
          options: groups.map(({ id, name }) => ({ value: id, name })),
        },
      ]
    : []),
]
