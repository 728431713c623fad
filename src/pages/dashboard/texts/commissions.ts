import { formatCount } from '../../parts/format.tsx'

export const commissions = {
  noun: 'commission',
  lead: 'What each sale earned, and why.',
  commission: 'Commission',
  titleOf: (amount: string, name: string) => `${amount} for ${name}`,
  states: { PENDING: 'Pending', DUE: 'Due', PAID: 'Paid', VOID: 'Cancelled' },
  held: 'Held',
  heldReasons: {
    SELF_REFERRAL_EMAIL: "The customer has the affiliate's own e-mail address, or a payout address.",
    SELF_REFERRAL_DOMAIN: "The customer's e-mail address has the domain of the affiliate's.",
    SELF_REFERRAL_LOOKALIKE: "The customer's e-mail address looks like the affiliate's own.",
    VISIT_AFTER_SALE: 'The visit was made after the sale.',
    DISPUTE: 'The customer disputes the payment. The hold ends with the dispute.',
    TERMS_NOT_ACCEPTED: 'The affiliate has not accepted the terms. The hold ends when they do.',
  },
  sale: 'Sale',
  kinds: { SALE: 'Sale', BONUS: 'Bonus', CORRECTION: 'Correction', LEAD: 'Lead' },
  given: 'Given',
  refundOf: (sale: string) => `Refund of ${sale}`,
  reversalOf: (sale: string) => `Reversed refund of ${sale}`,
  occurred: 'Sale occurred',
  due: 'Due',
  earned: 'Recorded',
  paid: 'Paid',
  voided: 'Cancelled',
  payout: 'Payout',
  outside: 'Outside of any payout',
  notYet: 'Not collected yet',
  openPayout: 'An open payout',
  paidPayout: 'A paid payout',
  importedId: 'Imported id',
  refunds: 'Refunds',
  empty: { title: 'No commissions yet', text: 'They appear here as soon as affiliates bring sales.' },

  approve: 'Approve',
  approveTitle: (count: number) => `Approve ${formatCount(count, 'commission')}?`,
  approveText: (count: number, totals: string) =>
    `${formatCount(count, 'held commission')}, ${totals}, can be paid from ${count === 1 ? 'its due date' : 'their due dates'} on.`,
  noneHeld: 'None of them can be approved: they are not held, or only an open dispute holds them.',
  notHeld: (count: number) =>
    `${formatCount(count, 'other')} of the selected ${count === 1 ? 'is' : 'are'} not held and stay${count === 1 ? 's' : ''} as they are.`,
  wasApproved: (count: number) => `${formatCount(count, 'commission')} approved.`,

  void: 'Cancel commission',
  voidThem: 'Cancel commissions',
  voidTitle: (count: number) => `Cancel ${formatCount(count, 'commission')}?`,
  voidText: (count: number, totals: string) =>
    `${formatCount(count, 'commission')}, ${totals}, will not be paid. An open payout with ${count === 1 ? 'it' : 'one of them'} becomes smaller, and closes if nothing is left in it. This cannot be undone.`,
  voidPaid: (count: number) =>
    `${formatCount(count, 'commission')} of the selected ${count === 1 ? 'is' : 'are'} paid or cancelled already and left out.`,
  noneOpen: 'All of them are paid or cancelled.',
  reason: 'Reason',
  reasonHint: 'Kept in the history. Optional.',
  wasVoided: (count: number) => `${formatCount(count, 'commission')} cancelled.`,

  give: {
    open: 'Give a bonus or correction',
    lead: 'It is due at once and goes into the next payout. The affiliate sees the reason.',
    what: 'What',
    kinds: {
      bonus: 'Bonus',
      adds: 'Correction that adds an amount',
      deducts: 'Correction that deducts an amount',
    },
    reason: 'Reason',
    reasonHint: 'The affiliate sees it.',
    action: 'Give',
    bonusDone: (name: string) => `The bonus was given to ${name}.`,
    correctionDone: (name: string) => `The correction was recorded for ${name}.`,
  },

  amend: 'Change amount',
  amendLead: (amount: string) => `It is ${amount} now. The open payout follows, and the history keeps both amounts.`,
  newAmount: 'New amount',
  amended: 'The amount was changed.',

  reschedule: 'Move due date',
  rescheduleLead: (day: string) => `It is due on ${day} now. From the due date on it is part of the open payout.`,
  newDay: 'New due date',
  rescheduled: 'The due date was moved.',

  markPaid: 'Mark as paid',
  markPaidLead: (amount: string, name: string) =>
    `${amount} for ${name} leaves the open payout. Use this if you paid it outside of any payout.`,
  paidOn: 'Paid on',
  notFuture: 'Choose a day that is not in the future.',
  wasPaid: 'The commission was marked as paid.',

  takeBack: 'Reverse payment',
  takeBackTitle: 'Reverse the payment?',
  takeBackText: (amount: string, name: string) =>
    `${amount} for ${name} is not paid any more, and returns to the open payout if it is due.`,
  tookBack: 'The payment was reversed.',
} as const
