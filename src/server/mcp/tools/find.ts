import { z } from 'zod'
import { type Data, textOf } from '../marks.ts'
import { type List, pageOf } from '../pages.ts'
import { defineTool, rows } from '../tool.ts'

const query = `query Find($text: String!, $first: Int) {
  search(text: $text, first: $first) {
    affiliates { id email firstName lastName state }
    customers { id email name }
    sales { id externalId amountCents currency occurredAt outcome }
    coupons { id token affiliateId }
    payouts { id amountCents currency state affiliateId }
    campaigns { id name }
    unattributedSales { id externalId email amountCents currency occurredAt }
    feedEvents { id type externalId outcome }
  }
}`

/** The kinds of records, each with its list. */
const kinds: Record<string, List> = {
  affiliates: 'affiliates',
  customers: 'customers',
  sales: 'sales',
  coupons: 'affiliateCoupons',
  payouts: 'payouts',
  campaigns: 'campaigns',
  unattributedSales: 'unattributedSales',
  feedEvents: 'feedEvents',
}

export const find = defineTool({
  name: 'find',
  title: 'Find records',
  description:
    'Finds affiliates, customers, sales, coupons, payouts, campaigns, sales without an affiliate and events of feeds by name, e-mail, code, external id or id.',
  audience: 'program',
  input: z.object({
    text: z.string().min(1).max(200).describe('A name, an e-mail, a code or an id, or a part of one.'),
    first: z.number().int().min(1).max(20).default(5).describe('How many of each kind.'),
  }),
  output: { results: rows('The records: `kind`, `id`, a link (`url`), and what identifies each.') },
  async run(call, args) {
    const { search } = await call.ask(query, args)
    const results = Object.entries(kinds).flatMap(([kind, list]) =>
      (search[kind] as Data[]).map((one) => ({
        kind,
        ...named(one),
        url: call.page(pageOf(list, one)),
      })),
    )
    return { results }
  },
})

/** The names of a person are one text. */
function named({ firstName, lastName, ...rest }: Data) {
  if (firstName === undefined) return rest
  const name = [textOf(firstName), textOf(lastName)].filter(Boolean).join(' ')
  return { ...rest, ...(name && { name: { untrusted: name } }) }
}
