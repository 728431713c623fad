import type { StripeObject } from './stripe-api.ts'

export type StripeList = {
  path: string
  /** Further parameters of the list. */
  more: string
  /** Whether objects from before the given day are read too: later payments can refer to them. */
  isWhole?: boolean
  /** The events that an object stands for. */
  eventsOf(object: StripeObject): StripeEvent[]
}

export type StripeEvent = { id: string; type: string; data: { object: StripeObject } } & Record<string, unknown>

const hasReferral = ({ metadata }: StripeObject) => !!(metadata as { referral?: string } | null)?.referral

/** The lists of Stripe's API that are read. Who pays is read before what is paid. */
export const stripeLists: readonly StripeList[] = [
  { path: '/v1/promotion_codes', more: '', isWhole: true, eventsOf: (code) => [made('promotion_code.created', code)] },
  {
    path: '/v1/customers',
    more: '',
    isWhole: true,
    eventsOf: (customer) => (hasReferral(customer) ? [made('customer.created', customer)] : []),
  },
  {
    path: '/v1/subscriptions',
    more: '&status=all',
    isWhole: true,
    eventsOf: (subscription) =>
      hasReferral(subscription) || subscription.status === 'trialing'
        ? [made('customer.subscription.created', subscription)]
        : [],
  },
  {
    path: '/v1/checkout/sessions',
    more: '&status=complete',
    eventsOf: (session) => [made('checkout.session.completed', session)],
  },
  { path: '/v1/invoices', more: '&status=paid', eventsOf: (invoice) => [made('invoice.paid', invoice)] },
  {
    path: '/v1/invoice_payments',
    more: '&status=paid',
    eventsOf: (payment) => [made('invoice_payment.paid', payment)],
  },
  {
    path: '/v1/charges',
    more: '',
    eventsOf: (charge) => [
      ...(charge.paid === true || charge.status === 'succeeded' ? [made('charge.succeeded', charge)] : []),
      ...(Number(charge.amount_refunded) > 0 ? [made('charge.refunded', charge)] : []),
    ],
  },
  { path: '/v1/refunds', more: '', eventsOf: (refund) => [made('refund.created', refund)] },
  { path: '/v1/credit_notes', more: '', eventsOf: (note) => [made('credit_note.created', note)] },
  {
    path: '/v1/disputes',
    more: '',
    eventsOf: (dispute) => {
      const isClosed = /won|lost|closed/.test(String(dispute.status))
      return [made(isClosed ? 'charge.dispute.closed' : 'charge.dispute.created', dispute)]
    },
  },
  // Events are kept for 30 days at Stripe. They are stored under their own ids, as by webhook.
  { path: '/v1/events', more: '', eventsOf: (event) => [event as unknown as StripeEvent] },
]

/** An event that says what the object says now. A later state of the object is another event. */
const made = (type: string, object: StripeObject): StripeEvent => ({
  id: `backfill_${type}_${object.id}_${object.status ?? ''}_${object.amount_refunded ?? ''}`,
  object: 'event',
  type,
  created: object.created,
  livemode: object.livemode,
  data: { object },
})
