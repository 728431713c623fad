import type { MoneyEventKind } from '../../generated/prisma/enums.ts'

/** What is recorded with `recordChanges`. */
export type ChangeAction =
  | 'created'
  | 'updated'
  | 'archived'
  | 'unarchived'
  | 'deleted'
  | 'link_created'
  | 'link_token_changed'
  | 'link_archived'
  | 'link_unarchived'
  | 'link_deleted'
  | 'coupon_created'
  | 'coupon_archived'
  | 'coupon_unarchived'
  | 'coupon_deleted'
  | 'opened'
  | 'amount_changed'
  | 'paid'
  | 'closed'
  | 'imported'
  | 'erased'

/** What was done, in the history of any resource. A commission's history has the kinds of its facts. */
export type HistoryAction = ChangeAction | MoneyEventKind
