/** The kinds of subjects of events. `record_events` reads the state of each: see prisma/sql/events.sql. */
export type EventSubject =
  | 'affiliate'
  | 'affiliate_link'
  | 'affiliate_coupon'
  | 'referral'
  | 'sale'
  | 'commission'
  | 'payout'
  | 'campaign'
  | 'api_key'
  | 'unattributed_sale'
  | 'webhook_endpoint'
  | 'proposal'
  | 'statements'
  | 'invoice'

export const conventionTypes = {
  'affiliate.created': 'An affiliate was created.',
  'affiliate.confirmed': 'An affiliate was confirmed. Affiliates created through the API are confirmed at once.',
  'affiliate.updated': 'Fields of an affiliate were changed.',
  'affiliate.deleted': 'An affiliate was deleted. Only test events have this type: the service deletes no affiliates.',
  'affiliate_link.created': 'An affiliate got a link.',
  'affiliate_link.updated': "A link's token changed, or the link was archived or unarchived.",
  'affiliate_link.deleted': 'A link was deleted.',
  'affiliate_coupon.created': 'An affiliate got a coupon.',
  'affiliate_coupon.updated': 'A coupon was archived or unarchived.',
  'affiliate_coupon.activated': 'A coupon was unarchived.',
  'affiliate_coupon.deactivated': 'A coupon was archived.',
  'affiliate_coupon.deleted': 'A coupon was deleted.',
  'referral.created': 'A visit or a sale by coupon created a referral.',
  'referral.lead': 'A referral became a lead.',
  'referral.converted': 'A referral became a conversion.',
  'referral.deleted': 'A referral was deleted. Only test events have this type: the service deletes no referrals.',
  'sale.created': 'A sale was recorded.',
  'sale.updated': 'A sale was refunded, fully or partly, or a refund of it was reversed.',
  'sale.refunded': 'A sale was refunded, fully or partly.',
  'sale.deleted': 'A sale was deleted. Only test events have this type: the service deletes no sales.',
  'commission.created':
    'A commission was earned, or a refund after the payment created a debt, or its reversal a credit.',
  'commission.updated': 'A commission was changed in any way: its amount, its dates or its state.',
  'commission.paid': 'A commission was paid.',
  'commission.voided': 'A commission was voided.',
  'commission.deleted': 'A commission was voided by hand, which the convention calls deleting it.',
  'payout.created': 'The first due commissions of an affiliate in a currency were collected into a payout.',
  'payout.updated': 'The amount or the state of a payout changed.',
  'payout.due': "A payout reached the campaign's minimum payout.",
  'payout.paid': 'A payout was marked as paid.',
  'payout.deleted': 'An open payout became empty and was deleted.',
  'payout.failed': 'The payment of a payout failed, came back or was not claimed.',
} as const

/** The prefix of the types that the convention does not have. */
export const ownPrefix = 'tributary.'

/** Our own types, each with its meaning. Endpoints in the format of the convention are not sent them. */
export const ownTypes = {
  'tributary.affiliate_link.archived': 'A link was archived.',
  'tributary.affiliate_link.unarchived': 'A link was unarchived.',
  'tributary.referral.expired': 'A referral expired before it became a conversion.',
  'tributary.sale.unattributed': 'A reported sale matched no active affiliate.',
  'tributary.sale.refund_reversed': 'A refund of a sale was reversed: a dispute was won.',
  'tributary.commission.held': 'A commission is held until a person approves or voids it.',
  'tributary.commission.approved': 'A held commission was approved.',
  'tributary.commission.due': 'A commission became due.',
  'tributary.campaign.created': 'A campaign was created.',
  'tributary.campaign.updated': 'Fields of a campaign were changed.',
  'tributary.campaign.archived': 'A campaign was archived.',
  'tributary.campaign.unarchived': 'A campaign was unarchived.',
  'tributary.campaign.deleted': 'A campaign was deleted.',
  'tributary.api_key.created': 'An API key was created.',
  'tributary.api_key.updated': 'An API key was changed.',
  'tributary.api_key.revoked': 'An API key was revoked.',
  'tributary.proposal.created': 'A change was proposed, and waits for a person.',
  'tributary.proposal.decided': 'A person confirmed or rejected a proposal.',
  'statements.closed': 'A month was closed and signed, with the statements of all affiliates.',
  'invoice.created': 'A self-billing invoice or a credit note was issued.',
  'tributary.webhook_endpoint.disabled': 'A webhook endpoint was disabled, by hand or because deliveries to it failed.',
} as const

export const eventMeanings = { ...conventionTypes, ...ownTypes }

export type EventType = keyof typeof eventMeanings

export const eventTypes = Object.keys(eventMeanings) as readonly EventType[]

export const isEventType = (type: string): type is EventType => Object.hasOwn(eventMeanings, type)

export const isOwnType = (type: string): boolean => Object.hasOwn(ownTypes, type)

export function subjectOf(type: EventType): EventSubject {
  if (type === 'tributary.sale.unattributed') return 'unattributed_sale'
  const [subject] = (type.startsWith(ownPrefix) ? type.slice(ownPrefix.length) : type).split('.')
  return subject as EventSubject
}
