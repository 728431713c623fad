import type { FeedKind } from '../../../generated/prisma/enums.ts'
import { chargebee } from './chargebee.ts'
import { generic } from './generic/generic.ts'
import type { Kind } from './kind.ts'
import { lemonSqueezy } from './lemon-squeezy.ts'
import { paddle } from './paddle.ts'
import { polar } from './polar.ts'
import { stripe } from './stripe/stripe.ts'

export const kinds: Readonly<Record<FeedKind, Kind>> = {
  stripe,
  paddle,
  lemon_squeezy: lemonSqueezy,
  chargebee,
  polar,
  generic,
}
