import type {
  FeedBodyFormat,
  FeedEventOutcome,
  FeedKind,
  FeedMode,
  FeedSignatureAlgorithm,
  FeedSignatureContent,
  FeedSignatureEncoding,
} from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'
import type { Included } from './derive/sale-input.ts'
import { problemTexts } from './health.ts'
import type { feedPresets } from './input.ts'
import { kinds } from './kinds/all.ts'

const descriptions = Object.entries(kinds).map(([kind, { description }]) => [kind, description])

export const FeedKindEnum = defineEnum(
  'FeedKind',
  'The billing systems that feeds take events of.',
  Object.fromEntries(descriptions) as Record<FeedKind, string>,
)

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
  paused: 'Events are accepted and stored. Nothing is derived from them until the feed is resumed.',
  failing: 'The last request was rejected.',
  no_secret: 'All requests are rejected until the secret is entered.',
})

defineEnum('FeedPreset', 'Systems whose mapping is ready for a generic feed.', {
  shopify: 'Shopify: the webhooks `orders/paid`, `orders/updated`, `orders/cancelled` and `refunds/create`.',
  woocommerce: 'WooCommerce: the webhooks "Order created" and "Order updated".',
} satisfies Record<(typeof feedPresets)[number], string>)

export const FeedSignatureEncodingEnum = defineEnum(
  'FeedSignatureEncoding',
  'How the digest of a signature is written.',
  {
    hex: 'Hexadecimal digits.',
    base64: 'Base64.',
  } satisfies Record<FeedSignatureEncoding, string>,
)

export const FeedSignatureAlgorithmEnum = defineEnum('FeedSignatureAlgorithm', 'The hash of an HMAC.', {
  sha256: 'SHA-256.',
  sha512: 'SHA-512.',
  sha1: 'SHA-1.',
} satisfies Record<FeedSignatureAlgorithm, string>)

export const FeedSignatureContentEnum = defineEnum('FeedSignatureContent', 'What the digest of a signature is of.', {
  body: 'The body. Without a time, a request that somebody has seen can be sent again.',
  time_and_body:
    'The time, a full stop and the body. The header has the time (seconds or milliseconds), a comma and one or more digests.',
} satisfies Record<FeedSignatureContent, string>)

export const FeedBodyFormatEnum = defineEnum('FeedBodyFormat', 'What the bodies of requests are.', {
  json: 'A JSON object.',
  form: 'A form (application/x-www-form-urlencoded).',
} satisfies Record<FeedBodyFormat, string>)
export const FeedProblemEnum = defineEnum('FeedProblemKind', 'What can be wrong with a feed.', problemTexts)

export const FeedEventOutcomeEnum = defineEnum('FeedEventOutcome', 'What followed from an event of a feed.', {
  sale: 'A sale is recorded.',
  refund: 'It is about a refund or a dispute of a recorded sale.',
  lead: 'The customer is a lead.',
  waiting: 'It waits for something. `reason` says for what. It is tried again when that comes.',
  ignored: 'It changes nothing. `reason` says why.',
  failed: 'It cannot be used. `reason` says why.',
} satisfies Record<FeedEventOutcome, string>)
