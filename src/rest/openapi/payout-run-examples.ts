export const PayoutRun = {
  id: '019cbd5d-1480-7b52-90c3-5f2a7d81c0e6',
  object: 'payout_run',
  state: 'prepared',
  method: 'paypal',
  currency: 'usd',
  as_of: '2026-03-05T09:00:00.000Z',
  payouts: 1,
  amount: 980,
  needs_approval: false,
  reference: null,
  reason: null,
  approved_at: null,
  sent_at: null,
  paid_at: null,
  cancelled_at: null,
  created_at: '2026-03-05T09:00:00.000Z',
  updated_at: '2026-03-05T09:00:00.000Z',
}

/** What each step changes. */
export const changedRuns = {
  approvePayoutRun: { state: 'approved', approved_at: '2026-03-05T09:30:00.000Z' },
  markPayoutRunSent: { state: 'sent', sent_at: '2026-03-05T09:30:00.000Z', reference: 'batch-2026-03' },
  markPayoutRunPaid: { state: 'paid', paid_at: '2026-03-05T09:30:00.000Z', reference: 'batch-2026-03' },
  cancelPayoutRun: { state: 'cancelled', cancelled_at: '2026-03-05T09:30:00.000Z', reason: 'Entered twice' },
}

export const runBodies = {
  updatePayout: { paid_at: null, reason: 'Entered twice' },
  createPayoutRun: { method: 'paypal', currency: 'usd' },
  markPayoutRunSent: { reference: 'batch-2026-03' },
  markPayoutRunPaid: { reference: 'batch-2026-03' },
  cancelPayoutRun: { reason: 'Entered twice' },
}
