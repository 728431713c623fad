import { readPage, type StripeApi, type StripeObject, type StripePage } from './stripe-api.ts'

/** Invoices name their first lines only. Reads the others, as far as the key may. */
export async function withAllLines(api: StripeApi, page: StripePage): Promise<StripePage> {
  const data: StripeObject[] = []
  for (const invoice of page.data) data.push(await withLines(api, invoice))
  return { ...page, data }
}

async function withLines(api: StripeApi, invoice: StripeObject): Promise<StripeObject> {
  const given = invoice.lines as StripePage | undefined
  if (given?.has_more !== true) return invoice
  const lines = [...given.data]
  for (let hasMore = true; hasMore; ) {
    const after = lines.at(-1)?.id
    const page = await readPage(
      api,
      `/v1/invoices/${invoice.id}/lines?limit=100${after ? `&starting_after=${after}` : ''}`,
    )
    if (page === null) return invoice
    lines.push(...page.data)
    hasMore = page.has_more && page.data.length > 0
  }
  return { ...invoice, lines: { ...given, data: lines, has_more: false } }
}
