import type { BillingInterval } from '../../../../generated/prisma/enums.ts'
import { toMinorUnits } from '../../../../kernel/money/decimals.ts'
import { candidatesOf, type Fact, type Reading } from '../../facts.ts'
import { agentsIn, at, type Json, listOf, objectOf, present, textAt, timeAt, Unusable, wholeAt } from '../json.ts'
import { currencyOf } from '../units.ts'

/** What a mapping may say that an event is. */
const readers: Record<string, (item: Json, time: string) => Fact> = {
  sale: (item, time) => ({
    kind: 'payment',
    id: needed(item, 'id'),
    objects: [],
    of: present([textAt(item, 'subscriptionId')]),
    totalCents: amountAt(item, 'amount'),
    taxCents: has(item, 'tax') ? amountAt(item, 'tax') : '0',
    shippingCents: has(item, 'shipping') ? amountAt(item, 'shipping') : '0',
    discountCents: has(item, 'discount') ? amountAt(item, 'discount') : '0',
    currency: currencyOf(textAt(item, 'currency')),
    at: time,
    billingInterval: intervals.find((interval) => interval === textAt(item, 'billingInterval')),
    paymentNumber: typeof item.paymentNumber === 'number' ? item.paymentNumber : undefined,
    items: listOf(item.items).map((one) => ({
      productId: needed({ ...one, type: 'item' }, 'productId'),
      name: textAt(one, 'name'),
      amountCents: amountAt({ currency: item.currency, ...one, type: 'item' }, 'amount', true),
      quantity: typeof one.quantity === 'number' ? one.quantity : undefined,
    })),
    who: whoOf(item),
    rank: 3,
  }),
  refund: (item, time) => ({
    kind: 'refund',
    id: needed(item, 'id'),
    of: [needed(item, 'saleId')],
    amountCents: has(item, 'amount') ? amountAt(item, 'amount') : null,
    state: item.failed === true ? 'failed' : 'done',
    at: time,
  }),
  refunded_total: (item, time) => ({
    kind: 'refunded_total',
    id: needed(item, 'saleId'),
    of: [needed(item, 'saleId')],
    totalCents: amountAt(item, 'amount'),
    at: time,
  }),
  dispute: (item, time) => {
    const state = (['open', 'lost', 'won'] as const).find((one) => one === item.state)
    if (!state) throw new Unusable('The state of a dispute must be "open", "lost" or "won".')
    const amountCents = has(item, 'amount') ? amountAt(item, 'amount') : null
    return { kind: 'dispute', id: needed(item, 'id'), of: [needed(item, 'saleId')], amountCents, state, at: time }
  },
  void: (item, time) => ({ kind: 'void', of: [needed(item, 'saleId')], at: time, why: 'The sale is void.' }),
  lead: (item, time) => ({ kind: 'lead', objects: objectsAt(item), at: time, who: whoOf(item), what: 'a trial' }),
  customer: (item, time) => ({ kind: 'signals', objects: objectsAt(item), at: time, who: whoOf(item) }),
}

const intervals: readonly BillingInterval[] = ['one_off', 'month', 'year']

/** What a mapping returns: nothing, one object, or a list of them. @throws Unusable */
export function factsOfResult(result: unknown): Reading {
  const items = (Array.isArray(result) ? result : [result]).filter((item) => item !== null && item !== undefined)
  if (items.length === 0) return { ignored: 'The mapping makes nothing of this event.' }
  if (items.length > 100) throw new Unusable('The mapping makes more than 100 things of one event.')
  return { facts: items.map(factOf) }
}

function factOf(value: unknown): Fact {
  const item = objectOf(value)
  const type = textAt(item, 'type') ?? ''
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined
  if (!read)
    throw new Unusable(`It needs a type, by itself or by the mapping of the feed: ${Object.keys(readers).join(', ')}.`)
  const time = timeAt(item, 'occurredAt')
  if (!time) throw new Unusable('What a mapping makes needs a time in occurredAt, such as 2026-01-31T12:00:00Z.')
  return read(item, time)
}

function needed(item: Json, name: string): string {
  const text = textAt(item, name)
  if (text === undefined) throw new Unusable(`A ${item.type} needs a text in ${name}.`)
  return text
}

const has = (item: Json, name: string) => at(item, `${name}Cents`) !== undefined || at(item, name) !== undefined

/** `amountCents` is in minor units, `amount` is a decimal number. @param negative whether it can be a credit line */
function amountAt(item: Json, name: string, negative = false): string {
  if (at(item, `${name}Cents`) !== undefined) return String(wholeAt(item, `${name}Cents`, { text: true, negative }))
  const decimal = textAt(item, name)
  const currency = currencyOf(textAt(item, 'currency'))
  const isCredit = negative && decimal?.startsWith('-') === true
  const positive = decimal === undefined ? null : toMinorUnits(isCredit ? decimal.slice(1) : decimal, currency)
  const cents = isCredit && positive !== null ? -positive : positive
  if (cents === null)
    throw new Unusable(`A ${item.type} needs ${name}Cents, or a decimal number in ${name} that ${currency} can have.`)
  return String(cents)
}

function whoOf(item: Json) {
  const coupons = Array.isArray(item.coupon) ? item.coupon.map(String) : present([textAt(item, 'coupon')])
  const referrals = Array.isArray(item.referralId) ? item.referralId.map(String) : [textAt(item, 'referralId')]
  return {
    customer: textAt(item, 'customerId'),
    name: textAt(item, 'name'),
    ...candidatesOf({ emails: [textAt(item, 'email')], referrals }),
    coupons: coupons.length > 0 ? coupons : undefined,
    agents: agentsIn({ affiliate_attribution: item.affiliateAttribution }),
  }
}

const objectsAt = (item: Json) =>
  present([textAt(item, 'id'), textAt(item, 'subscriptionId'), textAt(item, 'customerId')])
