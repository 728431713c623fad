import { z } from 'zod'
import { defineTool, rows } from '../tool.ts'

const query = `query Attention($since: DateTime!) {
  payoutPreview(first: 0) { totals { currency payablePayouts payableCents } }
  proposals(first: 0, where: { state: { equals: OPEN } }) { totalCount }
  held: commissions(first: 0, where: { heldReason: { not: null }, state: { equals: PENDING } }) { totalCount }
  applications(first: 0, where: { state: { equals: APPLIED } }) { totalCount }
  unattributed: unattributedSales(first: 0, where: { dismissedAt: { equals: null }, needsAttention: { equals: true } }) { totalCount }
  unclaimed: payoutRunItems(first: 0, where: { state: { equals: UNCLAIMED } }) { totalCount }
  back: payoutRunItems(first: 0, where: { state: { in: [FAILED, RETURNED] }, updatedAt: { gte: $since } }) { totalCount }
  prepared: payoutRuns(first: 0, where: { state: { in: [PREPARED, APPROVED] } }) { totalCount }
  sent: payoutRuns(first: 0, where: { state: { equals: SENT } }) { totalCount }
  feedEvents(first: 0, where: { outcome: { equals: FAILED } }) { totalCount }
  webhookEndpoints(first: 100) { nodes { id state disabledReason } }
  feeds(first: 20) { nodes { id problems { kind } } }
}`

/** As the home of the dashboard. */
const backForDays = 30

/** What is counted, with the page where a person decides it. */
const counted: Record<string, [what: string, path: string]> = {
  proposals: ['Proposals wait to be confirmed.', 'proposals'],
  held: ['Commissions are held until a person decides.', 'commissions?held=yes'],
  applications: ['Applications have no decision.', 'applications'],
  unattributed: ['Sales may belong to an affiliate.', 'sales?show=unattributed&attention=yes'],
  back: ['Payments failed or came back in the last 30 days.', 'payouts/runs'],
  unclaimed: ['Payments were not claimed.', 'payouts/runs'],
  prepared: ['Payout runs are not sent.', 'payouts/runs'],
  sent: ['Payout runs have no results yet.', 'payouts/runs?state=SENT'],
  feedEvents: ['Events of billing systems could not be used.', 'sales/events?outcome=FAILED'],
}

export const attention = defineTool({
  name: 'attention',
  title: 'What waits for a person',
  description:
    'Lists what waits for a person: payouts that can be paid, proposals, held commissions, applications, sales without an affiliate, payments that came back, payout runs, failing feeds and webhooks.',
  audience: 'program',
  input: z.object({}),
  output: {
    needs: rows('What waits: `key`, `what`, `count`, `url`. Payouts also have `amountCents` and `currency`.'),
  },
  async run(call) {
    const since = new Date(call.context.now().getTime() - backForDays * 86_400_000).toISOString()
    const data = await call.ask(query, { since })
    const needs: Record<string, unknown>[] = data.payoutPreview.totals
      .filter(({ payablePayouts }: { payablePayouts: number }) => payablePayouts > 0)
      .map(({ currency, payablePayouts: count, payableCents: amountCents }: Record<string, unknown>) => ({
        key: 'payouts',
        what: 'Payouts can be paid now.',
        count,
        amountCents,
        currency,
        url: call.page(`payouts?currency=${currency}`),
      }))
    for (const [key, [what, path]] of Object.entries(counted)) {
      const count = data[key].totalCount
      if (count > 0) needs.push({ key, what, count, url: call.page(path) })
    }
    const failing = data.webhookEndpoints.nodes.filter(
      (one: { state: string; disabledReason: string | null }) =>
        one.state === 'FAILING' || (one.state === 'DISABLED' && one.disabledReason !== 'MANUAL'),
    ).length
    const troubled = data.feeds.nodes.filter(({ problems }: { problems: unknown[] }) => problems.length > 0).length
    const url = call.page('developers')
    if (failing > 0) needs.push({ key: 'webhooks', what: 'Webhook endpoints fail.', count: failing, url })
    if (troubled > 0) needs.push({ key: 'feeds', what: 'Feeds have problems.', count: troubled, url })
    return { needs }
  },
})
