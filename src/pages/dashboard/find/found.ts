import type { FindQuery } from '../../../generated/dashboard/find/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { nameOf } from '../affiliate-name.tsx'
import { paymentOf } from '../sales/events/payment.ts'
import { texts } from '../texts.ts'

/** Something that the box found, and where it is. */
export type Found = {
  key: string
  name: string
  detail?: string
  /** Below the dashboard's address. */
  path: string
  search?: Readonly<Record<string, string>>
  /** What the view opens at once: "create". */
  asked?: string | undefined
  /** Whether the service found it, which takes a moment after the text was typed. */
  isRecord?: boolean
}

export type Group = { name: string; found: readonly Found[] }

const words = texts.find

/** The records that the service found, by kind. */
export function recordsOf({ search }: FindQuery, slug: string): Group[] {
  const at = (path: string, id: string) => ({ key: id, path: `/${slug}/${path}/${id}` })
  const detailOf = (name: string, email: string) => (name === email ? {} : { detail: email })
  const groups: Group[] = [
    {
      name: texts.views.affiliates,
      found: search.affiliates.map((one) => ({
        ...at('affiliates', one.id),
        name: nameOf(one),
        ...detailOf(nameOf(one), one.email),
      })),
    },
    {
      name: words.customers,
      found: search.customers.map(({ id, email, name }) => ({
        ...at('customers', id),
        name: name ?? email,
        ...detailOf(name ?? email, email),
      })),
    },
    {
      name: texts.views.sales,
      found: search.sales.map(({ id, externalId, amountCents, currency, affiliate }) => ({
        ...at('sales', id),
        name: externalId ?? texts.money.noId,
        detail: `${formatMoney(amountCents, currency)} · ${nameOf(affiliate)}`,
      })),
    },
    {
      name: words.coupons,
      found: search.coupons.map(({ id, token, affiliate }) => ({
        ...at('affiliates', affiliate.id),
        key: id,
        name: token,
        detail: nameOf(affiliate),
      })),
    },
    {
      name: texts.views.payouts,
      found: search.payouts.map(({ id, reference, amountCents, currency, affiliate }) => ({
        ...at('payouts', id),
        name: reference ?? nameOf(affiliate),
        detail: `${formatMoney(amountCents, currency)} · ${nameOf(affiliate)}`,
      })),
    },
    {
      name: words.unattributed,
      found: search.unattributedSales.map(
        ({ id, externalId, email, customerName, amountCents, currency, ...sale }) => ({
          key: id,
          name: externalId ?? email ?? customerName ?? texts.money.noId,
          detail: [formatMoney(amountCents, currency), customerName ?? email].filter(Boolean).join(' · '),
          path: `/${slug}/sales`,
          search: {
            show: sale.dismissedAt === null ? 'unattributed' : 'dismissed',
            ...((externalId ?? email ?? customerName) && { search: externalId ?? email ?? customerName ?? '' }),
          },
        }),
      ),
    },
    {
      name: texts.sales.events.title,
      found: search.feedEvents.map(({ id, type, derived }) => {
        const { invoice, customer, amount } = paymentOf(derived)
        return {
          ...at('sales/events', id),
          name: type ?? texts.sales.events.rejected,
          detail: [invoice, amount, customer].filter(Boolean).join(' · '),
        }
      }),
    },
    {
      name: texts.views.campaigns,
      found: search.campaigns.map(({ id, name }) => ({ ...at('campaigns', id), name })),
    },
  ]
  return groups.map(({ name, found }) => ({ name, found: found.map((one) => ({ ...one, isRecord: true })) }))
}
