import { z } from 'zod'
import { FeedKind } from '../../generated/prisma/enums.ts'
import {
  clearable,
  described,
  flag,
  instant,
  oneOf,
  optional,
  reference,
  required,
  someOf,
  text,
  unchangedIfAbsent,
  wholeNumber,
} from '../../kernel/input/fields.ts'

const feedKinds = Object.values(FeedKind) as [FeedKind, ...FeedKind[]]

export const feedModes = ['live', 'test'] as const
export const includedParts = ['tax', 'shipping', 'discount'] as const

const name = described(text(100), 'What it is called.', { example: 'Stripe' })
const secret = described(
  text(500),
  'The secret with which the billing system signs. For Chargebee: `user:password`. Where the billing system makes it, it is entered here; otherwise it is made and shown once if it is not given.',
)
const mode = described(
  oneOf('FeedMode', feedModes),
  'Which events are accepted. Default: those of the mode of the first event.',
)
const includes = described(
  someOf('FeedPart', includedParts),
  'What the amounts of sales include beside the net amount. Default: nothing.',
)
const mapping = described(
  text(20_000),
  'For generic feeds: an expression of JSONata that makes sales, refunds and leads of an event. Test it with `testFeedMapping`.',
)

export const signatureEncodings = ['hex', 'base64'] as const
export const signatureAlgorithms = ['sha256', 'sha512', 'sha1'] as const
export const signatureContents = ['body', 'time_and_body'] as const
export const bodyFormats = ['json', 'form'] as const
export const feedPresets = ['shopify', 'woocommerce'] as const

const signatureHeader = described(
  text(100),
  'For generic feeds: the header with the signature, an HMAC. Empty: Standard Webhooks, `X-Signature`, `X-Hub-Signature-256` or a bearer token.',
  { example: 'X-Shopify-Hmac-Sha256' },
)
const signatureEncoding = described(
  oneOf('FeedSignatureEncoding', signatureEncodings),
  'How the digest in `signatureHeader` is written. Default: hex.',
)
const signaturePrefix = described(text(50), 'What stands before the digest in `signatureHeader`.', {
  example: 'sha256=',
})
const signatureAlgorithm = described(
  oneOf('FeedSignatureAlgorithm', signatureAlgorithms),
  'The hash of the HMAC in `signatureHeader`. Default: SHA-256.',
)
const signatureContent = described(
  oneOf('FeedSignatureContent', signatureContents),
  'What the digest in `signatureHeader` is of. Default: the body. Without a time in the signature, a request that somebody has seen can be sent again.',
)
const bodyFormat = described(
  oneOf('FeedBodyFormat', bodyFormats),
  'For generic feeds: what bodies are. A form is stored as a JSON object of its fields. Default: JSON.',
)

export const createFeedInput = z.object({
  kind: required(described(oneOf('FeedKind', feedKinds), 'The billing system. It cannot be changed later.')),
  name: required(name),
  secret: optional(secret),
  mode: optional(mode),
  includes: optional(includes),
  mapping: optional(mapping),
  preset: optional(
    described(
      oneOf('FeedPreset', feedPresets),
      'For generic feeds: a system whose mapping and signature are ready. What is given beside it counts instead.',
    ),
  ),
  signatureHeader: optional(signatureHeader),
  signatureEncoding: optional(signatureEncoding),
  signaturePrefix: optional(signaturePrefix),
  signatureAlgorithm: optional(signatureAlgorithm),
  signatureContent: optional(signatureContent),
  bodyFormat: optional(bodyFormat),
})

export const updateFeedInput = z.object({
  name: unchangedIfAbsent(name),
  secret: unchangedIfAbsent(secret),
  mode: clearable(mode),
  includes: unchangedIfAbsent(includes),
  mapping: clearable(mapping),
  signatureHeader: clearable(signatureHeader),
  signatureEncoding: unchangedIfAbsent(signatureEncoding),
  signaturePrefix: clearable(signaturePrefix),
  signatureAlgorithm: unchangedIfAbsent(signatureAlgorithm),
  signatureContent: unchangedIfAbsent(signatureContent),
  bodyFormat: unchangedIfAbsent(bodyFormat),
})

export const rotateFeedSecretInput = z.object({
  secret: optional(secret),
  keepOldForHours: optional(
    described(wholeNumber(0, 24 * 30), 'The number of hours in which requests with the old secret are accepted too.', {
      default: 24,
    }),
  ),
})

export const rederiveFeedInput = z.object({
  feedId: required(described(reference(), 'The id of the feed.')),
  since: optional(described(instant(), 'Only events that were received since this time. Default: all that are kept.')),
  externalId: optional(
    described(text(), 'Only events that have this id or mention it: an invoice, a charge, a customer.', {
      example: 'in_1001',
    }),
  ),
  after: optional(described(reference(), 'Where to go on: `next` of the call before.')),
  dryRun: optional(described(flag(), 'Whether it is only shown what would change.', { default: false })),
})

export const backfillFeedInput = z.object({
  feedId: required(described(reference(), 'The id of the feed.')),
  events: required(
    described(text(900_000), 'The events as the billing system would send them: a JSON list of at most 500 objects.'),
  ),
  dryRun: optional(described(flag(), 'Whether it is only shown what would be recorded.', { default: false })),
})

export const testFeedMappingInput = z.object({
  mapping: required(mapping),
  first: optional(described(wholeNumber(1, 20), 'The number of events, the newest first.', { default: 5 })),
})
