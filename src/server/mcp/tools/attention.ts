import { z } from 'zod'
import type { Data } from '../marks.ts'
import { defineTool, rows } from '../tool.ts'

const query = 'query Attention { attention { kind count amountCents currency text page } }'

export const attention = defineTool({
  name: 'attention',
  title: 'What waits for a person',
  description:
    'Lists what waits for a person: payouts that can be paid, proposals, held commissions, applications, sales without an affiliate, payments that came back, payout runs, failing feeds and webhooks.',
  audience: 'program',
  input: z.object({}),
  output: {
    needs: rows(
      'What waits: `kind`, `count`, `text` (read after the count), `url`. Payouts also have `amountCents` and `currency`: their text is read after the amount.',
    ),
  },
  async run(call) {
    const { attention: items } = await call.ask(query, {})
    const needs = items.map(({ page, amountCents, currency, ...item }: Data) => ({
      ...item,
      ...(currency !== null && { amountCents, currency }),
      url: call.page(page),
    }))
    return { needs }
  },
})
