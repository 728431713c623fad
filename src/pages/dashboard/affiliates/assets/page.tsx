import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  ArchiveAssetDocument,
  type AssetFragment,
  AssetsDocument,
  DeleteAssetDocument,
  UnarchiveAssetDocument,
} from '../../../../generated/dashboard/affiliates/assets/graphql.ts'
import { withLink } from '../../../../modules/assets/input.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { formatNumber } from '../../../parts/locale.ts'
import { type Column, Table } from '../../../parts/table.tsx'
import { useAction, useData } from '../../api/use-data.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AssetForm } from './asset-form.tsx'

const words = texts.assets

/** What the program gives its affiliates to share. */
export function Assets() {
  const { program, canChange } = useProgram()
  const [isArchived, setArchived] = useState(false)
  const [opened, setOpened] = useState<AssetFragment | 'new'>()
  const { data, failure, retry } = useData(AssetsDocument, { includeArchived: isArchived })
  const assets = data?.assets.filter(({ archivedAt }) => (archivedAt !== null) === isArchived)
  const [deleted, setDeleted] = useState<AssetFragment>()
  const [archive] = useAction(ArchiveAssetDocument)
  const [unarchive] = useAction(UnarchiveAssetDocument)
  const [remove] = useAction(DeleteAssetDocument)
  const show = useToast()
  const close = () => setOpened(undefined)
  async function change(asset: AssetFragment) {
    const { id, archivedAt } = asset
    const outcome = archivedAt ? await unarchive({ id }) : await archive({ id })
    if (!outcome.data) return show(outcome.failure)
    show(texts.saved, () => change({ ...asset, archivedAt: archivedAt ? null : new Date().toISOString() }))
  }
  const actions: Column<AssetFragment> = {
    name: texts.actions,
    isPlain: true,
    className: 'row-actions',
    cell: (asset) => (
      <>
        <button type="button" onClick={() => setOpened(asset)}>
          {texts.edit}
          <span className="unseen"> {asset.name}</span>
        </button>
        <button type="button" onClick={() => change(asset)}>
          {asset.archivedAt ? words.unarchive : words.archive}
          <span className="unseen"> {asset.name}</span>
        </button>
        {asset.archivedAt && (
          <button type="button" onClick={() => setDeleted(asset)}>
            {words.delete}
            <span className="unseen"> {asset.name}</span>
          </button>
        )}
      </>
    ),
  }
  const create = canChange && (
    <button type="button" className="primary" onClick={() => setOpened('new')}>
      {words.create}
    </button>
  )
  return (
    <Page
      title={words.title}
      lead={
        <>
          <Link to="/$program/affiliates" params={{ program: program.slug }}>
            {texts.views.affiliates}
          </Link>{' '}
          {words.lead}
        </>
      }
      actions={
        <>
          <button type="button" aria-pressed={isArchived} onClick={() => setArchived(!isArchived)}>
            {words.archived}
          </button>
          {create}
        </>
      }
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton lines={4} />}
      {assets?.length === 0 && <Empty title={words.none} text={isArchived ? '' : words.noneText} />}
      {assets && assets.length > 0 && (
        <Card title={isArchived ? words.archived : words.title}>
          <Table
            caption={words.caption}
            columns={canChange ? [...columns, actions] : columns}
            rows={assets}
            keyOf={({ id }) => id}
          />
        </Card>
      )}
      <Confirm
        title={words.deleteTitle(deleted?.name ?? '')}
        text={<p>{words.deleteText}</p>}
        action={words.delete}
        isOpen={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        onConfirm={async () => {
          const { failure } = await remove({ id: deleted?.id ?? '' })
          if (failure === undefined) show(words.deleted)
          return failure
        }}
      />
      <Dialog
        title={opened === 'new' ? words.create : (opened?.name ?? '')}
        isOpen={opened !== undefined}
        onClose={close}
      >
        {opened && <AssetForm asset={opened === 'new' ? null : opened} onDone={close} />}
      </Dialog>
    </Page>
  )
}

const columns: Column<AssetFragment>[] = [
  {
    name: texts.fields.name,
    cell: ({ name, kind, fileUrl, text }) => (
      <>
        {fileUrl && <img className="thumb" src={new URL(fileUrl).pathname} alt={text ?? ''} loading="lazy" />}
        {name}
        {kind === 'TEXT' && <p className="quiet asset-sample">{withLink(text ?? '', words.sampleLink)}</p>}
      </>
    ),
  },
  { name: words.kind, cell: ({ kind }) => words.kinds[kind] },
  { name: words.sub, cell: ({ sub }) => <code>{sub}</code> },
  { name: words.visitors, cell: ({ visitors }) => formatNumber(visitors), isNumber: true },
  { name: words.conversions, cell: ({ conversions }) => formatNumber(conversions), isNumber: true },
]
