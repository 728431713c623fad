import { useState } from 'react'
import {
  type CouponFragment,
  CouponsDocument,
  type LinkFragment,
  type WholeAffiliateFragment,
} from '../../../generated/dashboard/affiliate/graphql.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { action } from '../api/action.ts'
import { useAction, useData } from '../api/use-data.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { useToast } from '../ui/toast.tsx'
import { AddCoupon, AddLink, EditDiscount } from './add.tsx'

const words = texts.affiliates.one

type Kind = 'Link' | 'Coupon'

type Asked =
  | { kind: 'addLink' | 'addCoupon' }
  | { kind: 'discount'; coupon: CouponFragment }
  | { kind: 'archiveLink' | 'archiveCoupon'; id: string; token: string }

/** The links and the coupons of an affiliate: to copy, to add, to archive. */
export function Share({ affiliate }: { affiliate: WholeAffiliateFragment }) {
  const { canChange } = useProgram()
  const [asked, setAsked] = useState<Asked>()
  const [status, setStatus] = useState('')
  const { data } = useData(CouponsDocument, { affiliateId: affiliate.id })
  const links = activeFirst(affiliate.links.nodes)
  const coupons = activeFirst(data?.affiliateCoupons.nodes ?? [])
  const close = () => setAsked(undefined)
  return (
    <Card
      title={words.share}
      lead={words.shareLead}
      actions={
        canChange && (
          <>
            <button type="button" onClick={() => setAsked({ kind: 'addCoupon' })}>
              {words.addCoupon}
            </button>
            <button type="button" onClick={() => setAsked({ kind: 'addLink' })}>
              {words.addLink}
            </button>
          </>
        )
      }
    >
      {links.length + coupons.length === 0 && <Empty title={words.noLinks} text={words.noLinksText} />}
      <ul className="entries">
        {links.map((link) => (
          <Entry
            key={link.id}
            entry={link}
            text={link.url}
            name={words.link(link.token)}
            onStatus={setStatus}
            note={words.counts(link)}
            kind="Link"
            onArchive={() => setAsked({ kind: 'archiveLink', ...link })}
          />
        ))}
        {coupons.map((coupon) => (
          <Entry
            key={coupon.id}
            entry={coupon}
            text={coupon.token}
            name={words.coupon(coupon.token)}
            onStatus={setStatus}
            note={words.couponNote(coupon.discount)}
            kind="Coupon"
            onArchive={() => setAsked({ kind: 'archiveCoupon', ...coupon })}
            onDiscount={() => setAsked({ kind: 'discount', coupon })}
          />
        ))}
      </ul>
      <p role="status" className="copy-status">
        {status}
      </p>
      <Dialog title={words.addLink} lead={words.addLinkLead} isOpen={asked?.kind === 'addLink'} onClose={close}>
        <AddLink affiliateId={affiliate.id} onDone={close} />
      </Dialog>
      <Dialog title={words.addCoupon} lead={words.addCouponLead} isOpen={asked?.kind === 'addCoupon'} onClose={close}>
        <AddCoupon affiliateId={affiliate.id} onDone={close} />
      </Dialog>
      <Dialog
        title={words.changeDiscount}
        lead={words.changeDiscountLead}
        isOpen={asked?.kind === 'discount'}
        onClose={close}
      >
        {asked?.kind === 'discount' && <EditDiscount coupon={asked.coupon} onDone={close} />}
      </Dialog>
      <Archive
        words={words.archiveLink}
        kind="Link"
        entry={asked?.kind === 'archiveLink' ? asked : undefined}
        onClose={close}
      />
      <Archive
        words={words.archiveCoupon}
        kind="Coupon"
        entry={asked?.kind === 'archiveCoupon' ? asked : undefined}
        onClose={close}
      />
    </Card>
  )
}

const activeFirst = <One extends { archivedAt: string | null }>(entries: readonly One[]) => [
  ...entries.filter(({ archivedAt }) => archivedAt === null),
  ...entries.filter(({ archivedAt }) => archivedAt !== null),
]

type EntryProps = {
  entry: LinkFragment | CouponFragment
  text: string
  name: string
  note: string
  kind: Kind
  onStatus(status: string): void
  onArchive(): void
  onDiscount?(): void
}

function Entry({ entry: { id, archivedAt }, text, name, note, kind, onStatus, onArchive, onDiscount }: EntryProps) {
  const { canChange } = useProgram()
  const show = useToast()
  const [unarchive, isRunning] = useAction(action(`unarchiveAffiliate${kind}`))
  async function restore() {
    const { failure } = await unarchive({ input: { id } })
    show(failure ?? words.unarchived)
  }
  return (
    <li className="share-entry">
      <div>
        {archivedAt === null ? (
          <Copyable text={text} name={name} onStatus={onStatus} />
        ) : (
          <p>
            <code className="quiet">{text}</code> <Badge tone="plain">{words.archivedAt}</Badge>
          </p>
        )}
        <p className="quiet">{note}</p>
      </div>
      {canChange && archivedAt === null && onDiscount && (
        <button type="button" className="plain" onClick={onDiscount}>
          {words.changeDiscount}
          <span className="unseen"> {name}</span>
        </button>
      )}
      {canChange && (
        <button
          type="button"
          className={archivedAt === null ? 'plain danger-text' : 'plain'}
          disabled={isRunning}
          onClick={archivedAt === null ? onArchive : () => void restore()}
        >
          {archivedAt === null ? words.archive : words.unarchive}
          <span className="unseen"> {name}</span>
        </button>
      )}
    </li>
  )
}

type ArchiveProps = {
  words: typeof words.archiveLink | typeof words.archiveCoupon
  kind: Kind
  entry: { id: string; token: string } | undefined
  onClose(): void
}

function Archive({ words: { title, text, done }, kind, entry, onClose }: ArchiveProps) {
  const show = useToast()
  const [archive] = useAction(action(`archiveAffiliate${kind}`))
  const [unarchive] = useAction(action(`unarchiveAffiliate${kind}`))
  const token = entry?.token ?? ''
  async function undo(id: string) {
    const { failure } = await unarchive({ input: { id } })
    show(failure ?? words.unarchived)
  }
  return (
    <Confirm
      title={title(token)}
      text={<p>{text(token)}</p>}
      action={words.archive}
      isOpen={entry !== undefined}
      onClose={onClose}
      onConfirm={async () => {
        if (!entry) return
        const { failure } = await archive({ input: { id: entry.id } })
        if (failure === undefined) show(done, () => undo(entry.id))
        return failure
      }}
    />
  )
}
