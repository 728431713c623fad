import { useState } from 'react'
import type { SaleQuery } from '../../../generated/dashboard/sales/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { Confirm } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.sales

type Shown = NonNullable<SaleQuery['sale']>['refunds']['nodes'][number]

/** Reverses a refund, for example after a dispute that was won. */
export function ReverseRefund({ refund, currency }: { refund: Shown; currency: string }) {
  const [isAsking, setAsking] = useState(false)
  const [reverse] = useAction(action('reverseRefund'))
  const show = useToast()
  const amount = formatMoney(refund.amountCents, currency)
  return (
    <>
      {' '}
      <button type="button" onClick={() => setAsking(true)}>
        {words.reverse}
        <span className="unseen"> {amount}</span>
      </button>
      <Confirm
        title={words.reverseTitle(amount)}
        text={<p>{words.reverseText}</p>}
        action={words.reverse}
        isDanger={false}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          const { failure } = await reverse({ input: { refundId: refund.id } })
          if (failure === undefined) show(words.wasReversed(amount))
          return failure
        }}
      />
    </>
  )
}
