import { useState } from 'react'
import type { UnattributedFragment } from '../../../generated/dashboard/sales/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { Confirm } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.sales.lost

/** Dismisses a sale as one of no affiliate, or takes that back. */
export function Dismiss({ sale, name }: { sale: UnattributedFragment; name: string }) {
  const { id, amountCents, currency, dismissedAt } = sale
  const [isAsking, setAsking] = useState(false)
  const [dismiss] = useAction(action('dismissUnattributedSale'))
  const [restore, isRunning] = useAction(action('restoreUnattributedSale'))
  const show = useToast()
  async function undo() {
    const { failure } = await restore({ input: { id } })
    show(failure ?? words.wasRestored(name))
  }
  if (dismissedAt !== null)
    return (
      <button type="button" disabled={isRunning} onClick={() => void undo()}>
        {words.restore}
        <span className="unseen"> {name}</span>
      </button>
    )
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {words.dismiss}
        <span className="unseen"> {name}</span>
      </button>
      <Confirm
        title={words.dismissTitle(name)}
        text={<p>{words.dismissText(formatMoney(amountCents, currency))}</p>}
        action={words.dismiss}
        isDanger={false}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          const { failure } = await dismiss({ input: { id } })
          if (failure === undefined) show(words.wasDismissed(name), undo)
          return failure
        }}
      />
    </>
  )
}
