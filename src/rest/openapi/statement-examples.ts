const hash = 'b2ce9395da43b24ccb89f9e08e74accbaf93fcba23ea292bc36f744b1e5cb47e'

const line = {
  number: 1,
  kind: 'commission',
  text: 'Commission for the sale inv_1001 of 2026-01: 20 % of 49.00 USD',
  amount: 980,
  month: '2026-01',
  booked_at: '2026-01-31T12:00:00.000Z',
}

export const Statement = {
  id: '019c1f5e-2a00-7c41-9d07-3b8e6f2a5c10',
  object: 'statement',
  number: 1,
  month: '2026-01',
  currency: 'usd',
  opening: 0,
  closing: 980,
  hash,
  previous_hash: null,
  lines: [line],
  created_at: '2026-02-05T06:00:00.000Z',
}

/** In short: docs/statement-format.md says what its parts have. */
export const StatementFile = {
  format: 'tributary-statement-1',
  header: { format: 'tributary-statement-1', number: 1, month: '2026-01', openingCents: '0', closingCents: '980' },
  lines: [{ number: 1, kind: 'commission', amountCents: '980' }],
  disclosed: {},
  proof: { hash, index: 0, path: [] },
  seal: 'eyJhbGciOiJFZERTQSJ9.eyJmb3JtYXQi.z0bZEchA',
}
