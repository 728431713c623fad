import type { FeedEventOutcome, FeedKind, FeedMode } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'
import type { Included } from './derive/sale-input.ts'
import { problemTexts } from './health.ts'

export const FeedKindEnum = defineEnum('FeedKind', 'The billing systems that feeds take events of.', {
  stripe: 'Stripe.',
  paddle: 'Paddle Billing. Paddle Classic is another system.',
  lemon_squeezy: 'Lemon Squeezy.',
  chargebee: 'Chargebee.',
  polar: 'Polar.',
  generic: 'Any JSON. A mapping makes sales, refunds and leads of it.',
} satisfies Record<FeedKind, string>)

export const FeedModeEnum = defineEnum('FeedMode', 'The modes of a billing system.', {
  live: 'Real payments.',
  test: 'Payments of tests.',
} satisfies Record<FeedMode, string>)

export const FeedPartEnum = defineEnum('FeedPart', 'Parts of a payment that are left out of sales by default.', {
  tax: 'Taxes.',
  shipping: 'Shipping.',
  discount: 'Discounts: the amount is that before them.',
} satisfies Record<Included, string>)

export const FeedStateEnum = defineEnum('FeedState', 'The states of feeds.', {
  active: 'Events are accepted.',
  failing: 'The last request was rejected.',
  no_secret: 'All requests are rejected until the secret is entered.',
})

export const FeedProblemEnum = defineEnum('FeedProblemKind', 'What can be wrong with a feed.', problemTexts)

export const FeedEventOutcomeEnum = defineEnum('FeedEventOutcome', 'What followed from an event of a feed.', {
  sale: 'A sale is recorded.',
  refund: 'It is about a refund or a dispute of a recorded sale.',
  lead: 'The customer is a lead.',
  waiting: 'It waits for something. `reason` says for what. It is tried again when that comes.',
  ignored: 'It changes nothing. `reason` says why.',
  failed: 'It cannot be used. `reason` says why.',
} satisfies Record<FeedEventOutcome, string>)
