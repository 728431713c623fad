import type fc from 'fast-check'
import { amend } from './commands/amend.ts'
import type { Command } from './commands/command.ts'
import { createDeal, endDeal } from './commands/deals.ts'
import { give } from './commands/given.ts'
import { changeGroup } from './commands/groups.ts'
import { pay, refund, refundEarly, reverse, voiding } from './commands/money.ts'
import { advance, changeCampaign, changeState, move } from './commands/program.ts'
import { lead, visit } from './commands/referrals.ts'
import { limitRuns, payRun, result, undo } from './commands/runs.ts'
import { attribute, repeat, sale } from './commands/sales.ts'

/** A repeated entry is chosen more often. Sales are frequent, as most other commands need one. */
export const commands: fc.Arbitrary<Command>[] = [
  visit,
  lead,
  sale,
  sale,
  sale,
  repeat,
  refund,
  refund,
  reverse,
  refundEarly,
  amend,
  amend,
  give,
  voiding,
  pay,
  pay,
  limitRuns,
  payRun,
  payRun,
  result,
  result,
  undo,
  attribute,
  advance,
  advance,
  changeState,
  move,
  changeCampaign,
  createDeal,
  createDeal,
  endDeal,
  changeGroup,
  changeGroup,
]
