import { z } from 'zod'
import { isId, ownCase } from '../../../kernel/ids.ts'
import type { Data } from '../marks.ts'
import { type List, pageOf } from '../pages.ts'
import { type Call, defineTool, row, ToolError } from '../tool.ts'

const explained = `explanation {
  sentences summary matchedBy baseCents baseCurrency calculatedCents exactAmount rounding
  signals { signal outcome } dropped { field problem }
  rule { rewardType commissionPercent commissionAmountCents commissionCurrency }
  commissionRule { ruleId name version }
  lines { name productId quantity amountCents commissionCents percent fixedCents ruleName reason }
}`
const commission = `id commissionKind: kind state amountCents currency occurredAt dueAt paidAt voidedAt heldReasons reason affiliate { id email }
  sale { id externalId amountCents currency occurredAt refundedCents }
  history(first: 10) { nodes { at action reason actor { kind } changes { field from to } } }`
const sale = `id externalId amountCents currency occurredAt refundedCents outcome noCommissionReason attributedBy
  affiliate { id email } commissions(first: 5) { nodes { id kind amountCents currency state } } ${explained}`
const unattributed = `id externalId amountCents currency occurredAt email coupon referralId needsAttention
  signals { signal outcome } dropped { field problem }`
// Types of GraphQL that have other types for a name need another name.
const event = 'id type externalId eventOutcome: outcome reason derived eventAt: occurredAt receivedAt sale { id }'
const payout = `id payoutState: state amountCents currency minimumPayoutCents missingCents isPayable sentAt paidAt failedAt reference
  affiliate { id email } commissions(first: 20) { totalCount nodes { id kind amountCents state sale { id externalId } } }`

// Any record can be a payout, for which due commissions are collected first. So what is asked for most is read as a
// list of one.
const most = `query Explain($id: ID!) {
  commissions(first: 1, where: { id: { equals: $id } }) { nodes { __typename ${commission} ${explained} } }
  sales(first: 1, where: { id: { equals: $id } }) { nodes { __typename ${sale} } }
}`

const others = `query ExplainAny($id: ID!) {
  node(id: $id) {
    __typename
    ... on UnattributedSale { ${unattributed} }
    ... on FeedEvent { ${event} }
    ... on Payout { ${payout} }
  }
}`

const byExternalId = `query ExplainExternalId($text: String!) {
  sales(first: 1, where: { externalId: { equals: $text } }) { nodes { __typename ${sale} } }
  unattributedSales(first: 1, where: { externalId: { equals: $text } }) { nodes { __typename ${unattributed} } }
  feedEventsAbout(externalId: $text) { __typename ${event} }
}`

/** The lists of what is explained, by type. */
const lists: Record<string, List> = {
  Commission: 'commissions',
  Sale: 'sales',
  FeedEvent: 'feedEvents',
  Payout: 'payouts',
}

export const explain = defineTool({
  name: 'explain',
  title: 'Explain a figure',
  description:
    'Says why a commission is what it is to the cent, why a sale earned nothing or has no affiliate, what is in a payment, and what became of an event of a billing system. Takes the id of a commission, a sale, a sale without an affiliate, a payout or an event, or the external id of a payment.',
  audience: 'program',
  input: z.object({
    id: z.string().min(1).max(255).describe('An id of this service, or the id of a payment in the billing system.'),
  }),
  output: {
    record: row(
      'What is explained, with its `explanation`: sentences, the rule, the signals that were tried, the lines.',
    ),
    events: z.array(z.looseObject({})).optional().describe('The events of feeds about the same payment.'),
    url: z.string().describe('The page of it in the dashboard.'),
  },
  async run(call, { id }) {
    const { record, events } = isId(ownCase(id)) ? await recordOf(call, ownCase(id)) : await recordsAbout(call, id)
    const url = call.page(pageOf(lists[record.__typename] ?? 'unattributedSales', record))
    const { __typename: kind, payoutState, eventOutcome, eventAt, ...rest } = record
    return {
      record: {
        kind,
        ...rest,
        ...(payoutState && { state: payoutState }),
        ...(eventOutcome && { outcome: eventOutcome, occurredAt: eventAt }),
      },
      ...(events && events.length > 0 && { events }),
      url,
    }
  },
})

async function recordOf(call: Call, id: string): Promise<{ record: Data; events?: Data[] }> {
  const { commissions, sales } = await call.ask(most, { id })
  const found = commissions.nodes[0] ?? sales.nodes[0]
  if (found) return { record: found }
  const { node } = await call.ask(others, { id })
  if (!node) throw new ToolError(`Nothing has the id ${id}. Use find.`, 'NOT_FOUND')
  if (Object.keys(node).length === 1)
    throw new ToolError(
      `${node.__typename} has no explanation. Use the id of a commission, a sale or a payout.`,
      'REFUSED',
    )
  return { record: node }
}

async function recordsAbout(call: Call, text: string): Promise<{ record: Data; events?: Data[] }> {
  const { sales, unattributedSales, feedEventsAbout: events } = await call.ask(byExternalId, { text })
  const record = sales.nodes[0] ?? unattributedSales.nodes[0] ?? events[0]
  if (!record)
    throw new ToolError(`No sale and no event has the external id ${text.slice(0, 100)}. Use find.`, 'NOT_FOUND')
  return { record, events }
}
