import type { ProposalKind } from '../../../generated/prisma/enums.ts'
import type { proposalKinds } from '../input.ts'
import type { Kind } from '../kind.ts'
import { affiliateRate } from './affiliate-rate.ts'
import { amend } from './amend.ts'
import { application } from './application.ts'
import { approve } from './approve.ts'
import { attribute } from './attribute.ts'
import { mail } from './mail.ts'
import { payoutRun } from './payout-run.ts'
import { refund } from './refund.ts'
import { rules } from './rules.ts'
import { voidKind } from './void.ts'

export const kinds = {
  void: voidKind,
  approve,
  amend,
  refund,
  attribute,
  rules,
  affiliate_rate: affiliateRate,
  payout_run: payoutRun,
  application,
  mail,
} satisfies Record<(typeof proposalKinds)[number], Kind>

export const kindOf = (kind: ProposalKind): Kind => kinds[kind]
