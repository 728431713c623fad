import type { ProposalKind } from '../../../generated/prisma/enums.ts'
import type { proposalKinds } from '../input.ts'
import type { Kind } from '../kind.ts'
import { amend } from './amend.ts'
import { approve } from './approve.ts'
import { attribute } from './attribute.ts'
import { payoutRun } from './payout-run.ts'
import { refund } from './refund.ts'
import { voidKind } from './void.ts'

export const kinds = {
  void: voidKind,
  approve,
  amend,
  refund,
  attribute,
  payout_run: payoutRun,
} satisfies Record<(typeof proposalKinds)[number], Kind>

export const kindOf = (kind: ProposalKind): Kind => kinds[kind as keyof typeof kinds]
