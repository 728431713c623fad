import { z } from 'zod'
import { portalUrl } from '../../../kernel/public-url.ts'
import { type Call, defineTool, fitted, next, rows, ToolError } from '../tool.ts'

const money = '{ amountCents currency }'

/** The page of the affiliate, and the currency of the program. */
const place = ({ context }: Call) => ({
  url: context.namedProgram ? portalUrl(context.affiliateUrl, context.namedProgram) : context.affiliateUrl,
})

export const myEarnings = defineTool({
  name: 'my_earnings',
  title: 'My earnings',
  description: 'What I have earned: what is due, pending and paid in each currency, and my newest commissions.',
  audience: 'affiliate',
  input: z.object({
    first: z.number().int().min(1).max(50).default(10).describe('How many commissions.'),
    after: z.string().max(1_000).optional().describe('The cursor of the previous answer.'),
  }),
  output: {
    balances: rows('By currency.'),
    totalCount: z.number(),
    commissions: rows('The newest first.'),
    next,
    url: z.string(),
  },
  async run(call, args) {
    const { me } = await call.ask(
      `query MyEarnings($first: Int, $after: String) { me {
        balances { currency total ${money} due ${money} pending ${money} paid ${money} revenue ${money} }
        commissions(first: $first, after: $after) { totalCount pageInfo { hasNextPage }
          edges { cursor node { id kind state amountCents currency occurredAt dueAt paidAt sale { amountCents currency } } } }
      } }`,
      args,
    )
    const { totalCount, edges, pageInfo } = me.commissions
    const { items, next: rest } = fitted(call, edges, pageInfo.hasNextPage)
    return { balances: me.balances, totalCount, commissions: items, next: rest, ...place(call) }
  },
})

export const why = defineTool({
  name: 'why',
  title: 'Why is a commission what it is',
  description: 'Says in sentences why one of my commissions is what it is.',
  audience: 'affiliate',
  input: z.object({
    commissionId: z.string().describe('The id of one of my commissions: see my_earnings.'),
    language: z.string().max(10).optional().describe('en, de, fr, es, pt or ja. Default: mine.'),
  }),
  output: { commission: z.looseObject({}), sentences: z.array(z.unknown()), url: z.string() },
  async run(call, { commissionId, language }) {
    const { me } = await call.ask(
      `query Why($id: ID!, $language: String) { me { commissions(first: 1, where: { id: { equals: $id } }) {
        nodes { id kind state amountCents currency occurredAt dueAt paidAt explanation { sentences(language: $language) } }
      } } }`,
      { id: commissionId, language },
    )
    const [found] = me.commissions.nodes
    if (!found) throw new ToolError('You have no commission with this id. See my_earnings.', 'NOT_FOUND')
    const { explanation, ...commission } = found
    return { commission, sentences: explanation.sentences, ...place(call) }
  },
})

export const myLinks = defineTool({
  name: 'my_links',
  title: 'My links and coupons',
  description: 'My links with their visitors, leads and conversions, and my coupons.',
  audience: 'affiliate',
  input: z.object({}),
  output: { links: rows('The oldest first.'), coupons: rows('With their discounts.'), url: z.string() },
  async run(call) {
    const { me } = await call.ask(`query MyLinks { me {
      links(first: 50, orderBy: { field: CREATED_AT, direction: ASC }) { nodes { id url token visitors leads conversions } }
      coupons(first: 50, orderBy: { field: CREATED_AT, direction: ASC }) { nodes { id token discount { percent amountCents currency } } }
    } }`)
    return { links: me.links.nodes, coupons: me.coupons.nodes, ...place(call) }
  },
})

export const makeLink = defineTool({
  name: 'make_link',
  title: 'Make a link',
  description: 'Makes a link for me. Its visitors count as mine.',
  audience: 'affiliate',
  writes: true,
  input: z.object({
    token: z.string().max(100).optional().describe('The text of the link. Default: one is made.'),
    url: z
      .string()
      .max(2_000)
      .optional()
      .describe('The page of the site that it leads to. Default: that of the campaign.'),
    sub: z.string().max(100).optional().describe('A sub-id, which reports show.'),
  }),
  output: { link: z.looseObject({}), address: z.unknown().describe('What to hand out.'), url: z.string() },
  async run(call, input) {
    const { createMyLink } = await call.ask(
      'mutation MakeLink($input: CreateMyLinkInput!) { createMyLink(input: $input) { url affiliateLink { id token url } } }',
      { input },
    )
    return { link: createMyLink.affiliateLink, address: createMyLink.url, ...place(call) }
  },
})

export const myTerms = defineTool({
  name: 'my_terms',
  title: 'My terms',
  description:
    'What I earn, by the rules that hold for me, what changes, and the terms of the program that I have not accepted.',
  audience: 'affiliate',
  input: z.object({ language: z.string().max(10).optional().describe('en, de, fr, es, pt or ja. Default: mine.') }),
  output: {
    reward: z.array(z.unknown()),
    news: rows('What has changed or will.'),
    campaign: z.looseObject({}),
    terms: z.unknown(),
    url: z.string(),
  },
  async run(call, { language }) {
    const { me } = await call.ask(
      `query MyTerms($language: String) { me {
        reward(language: $language) { lines { text } } rewardNews(language: $language) { at text }
        campaign { name commissionCurrency daysBeforeReferralsExpire minimumPayoutCents }
        termsToAccept { version text requiredFrom }
      } }`,
      { language },
    )
    const lines = me.reward.lines.map(({ text }: { text: unknown }) => text)
    return { reward: lines, news: me.rewardNews, campaign: me.campaign, terms: me.termsToAccept, ...place(call) }
  },
})

export const nextPayment = defineTool({
  name: 'next_payment',
  title: 'My next payment',
  description: 'What is paid to me next, when more becomes due, and my last payments.',
  audience: 'affiliate',
  input: z.object({}),
  output: {
    payments: rows('The newest first. One with the state PENDING or DUE is next.'),
    nextDueAt: z.string().nullable(),
    url: z.string(),
  },
  async run(call) {
    const currency = call.context.namedProgram?.currency
    const { me } = await call.ask(
      `query NextPayment($currency: Currency!) { me { nextDueAt(currency: $currency) payoutsHeldUntil
        payouts(first: 5) { nodes { id state amountCents currency minimumPayoutCents missingCents createdAt sentAt paidAt } }
      } }`,
      { currency },
    )
    return { payments: me.payouts.nodes, nextDueAt: me.nextDueAt, heldUntil: me.payoutsHeldUntil, ...place(call) }
  },
})
