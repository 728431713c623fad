import { useState } from 'react'
import { ApiKeysDocument, type KeyFragment } from '../../../generated/dashboard/developers/graphql.ts'
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
import { Moment } from '../ui/moment.tsx'
import { Scrolls } from '../ui/scrolls.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { CreateKey } from './create-key.tsx'
import { EditKey } from './edit-key.tsx'

const words = texts.developers.keys

const maskedOf = ({ prefix, lastFour }: KeyFragment) => `${prefix}…${lastFour}`

const columns: Column<KeyFragment>[] = [
  { name: texts.fields.name, cell: ({ name }) => name },
  { name: words.key, cell: (key) => <code>{maskedOf(key)}</code> },
  { name: words.access, cell: ({ access }) => words.accesses[access] },
  { name: words.profile, cell: ({ profile }) => words.profiles[profile] },
  { name: words.words, cell: ({ words: given }) => words.wordings[given] },
]
const useColumn: Column<KeyFragment> = {
  name: words.lastUsed,
  cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : words.never),
}

/** The keys of the program, with what can be done with them. */
export function ApiKeys() {
  const { program, canManageKeys } = useProgram()
  const { data, failure, isLoading, retry } = useData(
    ApiKeysDocument,
    { programId: program.id },
    { pause: !canManageKeys },
  )
  const [isCreating, setCreating] = useState(false)
  useAsked('key', () => setCreating(canManageKeys))
  const [editing, setEditing] = useState<KeyFragment>()
  const [revoking, setRevoking] = useState<KeyFragment>()
  const active = data?.apiKeys.filter(({ revokedAt }) => revokedAt === null)
  const revoked = data?.apiKeys.filter(({ revokedAt }) => revokedAt !== null) ?? []
  const create = (
    <button type="button" className="primary" onClick={() => setCreating(true)}>
      {words.create}
    </button>
  )
  if (!canManageKeys) return <Card title={words.title} lead={words.ownersOnly} />
  return (
    <Card title={words.title} lead={words.lead} actions={active && active.length > 0 && create}>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {active?.length === 0 && <Empty title={words.none} text={words.noneText} action={create} />}
      {active && active.length > 0 && (
        <Scrolls name={words.title}>
          <Table
            caption={formatCount(active.length, 'key')}
            columns={[
              ...columns,
              useColumn,
              {
                name: texts.actions,
                isPlain: true,
                className: 'row-actions',
                cell: (key) => (
                  <>
                    <button type="button" onClick={() => setEditing(key)}>
                      {texts.edit}
                      <span className="unseen"> {key.name}</span>
                    </button>
                    <button type="button" className="danger-text" onClick={() => setRevoking(key)}>
                      {words.revoke}
                      <span className="unseen"> {key.name}</span>
                    </button>
                  </>
                ),
              },
            ]}
            rows={active}
            keyOf={({ id }) => id}
            isBusy={isLoading}
          />
        </Scrolls>
      )}
      {revoked.length > 0 && <RevokedKeys keys={revoked} />}
      <Dialog title={words.create} lead={words.createLead} isOpen={isCreating} onClose={() => setCreating(false)}>
        <CreateKey onDone={() => setCreating(false)} />
      </Dialog>
      <Dialog title={words.editTitle(editing?.name ?? '')} isOpen={!!editing} onClose={() => setEditing(undefined)}>
        {editing && <EditKey apiKey={editing} onDone={() => setEditing(undefined)} />}
      </Dialog>
      <Revoke apiKey={revoking} onClose={() => setRevoking(undefined)} />
    </Card>
  )
}

const RevokedKeys = ({ keys }: { keys: readonly KeyFragment[] }) => (
  <details>
    <summary>{words.revoked(keys.length)}</summary>
    <Table
      caption={<span className="unseen">{words.revoked(keys.length)}</span>}
      columns={[
        ...columns.slice(0, 2),
        useColumn,
        { name: words.revokedAt, cell: ({ revokedAt }) => revokedAt && <Day at={revokedAt} /> },
      ]}
      rows={keys}
      keyOf={({ id }) => id}
    />
  </details>
)

function Revoke({ apiKey, onClose }: { apiKey: KeyFragment | undefined; onClose(): void }) {
  const [revokeApiKey] = useAction(action('revokeApiKey'))
  const show = useToast()
  const name = apiKey?.name ?? ''
  return (
    <Confirm
      title={words.revokeTitle(name)}
      text={<p>{words.revokeText(apiKey ? maskedOf(apiKey) : '')}</p>}
      action={words.revokeAction}
      isOpen={!!apiKey}
      onClose={onClose}
      onConfirm={async () => {
        const { failure } = await revokeApiKey({ input: { id: apiKey?.id ?? '' } })
        if (failure === undefined) show(words.wasRevoked(name))
        return failure
      }}
    />
  )
}
