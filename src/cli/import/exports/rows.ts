import { emailKey } from '../../../kernel/email.ts'
import type { Wire } from '../wire.ts'
import { type AmountUnit, centsOf, isTrue, timeOf, tokenOf } from './cell-values.ts'
import { commissionStates, paidStates } from './columns.ts'
import type { Line } from './file.ts'

export type Settings = { currency: string; unit: AmountUnit; campaignId: string; report(problem: string): void }

/** Finds what lines refer to, by id or by e-mail address. */
export type IdsByName = Map<string, string>

const keyOf = (text: string): string => (text.includes('@') ? emailKey(text) : text)

export const idsByName = (rows: readonly { id: string; names: readonly string[] }[]): IdsByName =>
  new Map(rows.toReversed().flatMap(({ id, names }) => names.map((name) => [keyOf(name), id])))

const find = (known: IdsByName, names: readonly string[]): string | undefined =>
  names.map((name) => known.get(keyOf(name))).find((id) => id !== undefined)

/** Reads a time, and reports one that is not. */
function timeIn(line: Line, field: string, { report }: Settings): string | undefined {
  const text = line.get(field)
  const time = text === undefined ? undefined : timeOf(text)
  if (time === null) report(`${line.place}: "${text}" is no time. Write 2026-01-31 or 2026-01-31T12:00:00Z.`)
  return time ?? undefined
}

function centsIn(line: Line, field: string, currency: string, { unit, report }: Settings): number | undefined {
  const text = line.get(field)
  const cents = text === undefined ? undefined : centsOf(text, currency, unit)
  if (cents === null) report(`${line.place}: "${text}" is no amount in ${unit} of ${currency.toUpperCase()}.`)
  return cents ?? undefined
}

const currencyIn = (line: Line, { currency }: Settings) => (line.get('currency') ?? currency).toLowerCase()

function affiliateIn(line: Line, affiliates: IdsByName, { report }: Settings): string | undefined {
  const names = line.all('affiliate')
  const id = find(affiliates, names)
  if (id === undefined)
    report(
      names.length === 0
        ? `${line.place}: the affiliate is missing.`
        : `${line.place}: no affiliate "${names.join('", "')}" is in the file of affiliates.`,
    )
  return id
}

export function affiliateOf(line: Line, settings: Settings): { id: string; names: string[]; wire: Wire } {
  const email = line.get('email')
  if (!email) settings.report(`${line.place}: the e-mail address is missing.`)
  const id = line.get('id') ?? email ?? ''
  const [first, ...last] = (line.get('name') ?? '').split(/\s+/)
  const token = line.get('token')
  const isOff = /^(inactive|disabled|blocked|rejected|denied|declined|archived|banned)$/i.test(line.get('status') ?? '')
  const createdAt = timeIn(line, 'createdAt', settings)
  const wire = {
    id,
    email,
    first_name: line.get('firstName') ?? (first || undefined),
    last_name: line.get('lastName') ?? (last.join(' ') || undefined),
    company: line.get('company'),
    paypal_email: line.get('paypal'),
    state: isOff ? 'disabled' : 'active',
    campaign_id: settings.campaignId,
    created_at: createdAt,
    links: token === undefined ? [] : [{ id: `${id} ${tokenOf(token)}`, token: tokenOf(token) }],
  }
  return { id, names: [id, email ?? ''].filter(Boolean), wire }
}

export function couponOf(line: Line, affiliateId: string): Wire[] {
  const token = line.get('coupon')
  return token === undefined ? [] : [{ id: `${affiliateId} ${token}`, affiliate_id: affiliateId, token }]
}

export function referralOf(line: Line, affiliates: IdsByName, settings: Settings) {
  const affiliateId = affiliateIn(line, affiliates, settings)
  const email = line.get('email')
  const id = line.get('id') ?? `${affiliateId} ${email}`
  const customerId = line.get('customerId')
  const createdAt = timeIn(line, 'createdAt', settings)
  const wire = {
    id,
    affiliate_id: affiliateId,
    campaign_id: settings.campaignId,
    customer: { email, name: line.get('name') },
    stripe_customer_id: customerId,
    conversion_state: 'lead',
    became_lead_at: createdAt,
    became_conversion_at: timeIn(line, 'convertedAt', settings),
    created_at: createdAt,
  }
  return { id, names: [id, customerId ?? '', email ?? ''].filter(Boolean), wire }
}

export type Commission = {
  wire: Wire & { id: string; affiliate_id?: string | undefined; state: string; created_at?: string | undefined }
  payoutId: string | undefined
  referralId: string | undefined
  hasPaidAt: boolean
}

export function commissionOf(
  line: Line,
  known: { affiliates: IdsByName; referrals: IdsByName },
  settings: Settings,
): Commission {
  const affiliateId = affiliateIn(line, known.affiliates, settings)
  const currency = currencyIn(line, settings)
  const amount = centsIn(line, 'amount', currency, settings)
  if (!line.get('amount')) settings.report(`${line.place}: the amount is missing.`)
  const createdAt = timeIn(line, 'createdAt', settings)
  if (!line.get('createdAt')) settings.report(`${line.place}: the time is missing.`)
  const status = (line.get('status') ?? 'approved').toLowerCase()
  const knownState = commissionStates[status]
  if (knownState === undefined)
    settings.report(
      `${line.place}: the status "${status}" is unknown. It can be ${Object.keys(commissionStates).join(', ')}.`,
    )
  const isPaid = knownState !== 'voided' && isTrue(line.get('paid'))
  const state = isPaid ? 'paid' : (knownState ?? 'void')
  const referralId = find(known.referrals, line.all('referral'))
  const charge = line.get('charge')
  const sale = centsIn(line, 'sale', currency, settings)
  const id = line.get('id') ?? [affiliateId, charge ?? referralId ?? '', createdAt, amount].join(' ')
  const paidAt = timeIn(line, 'paidAt', settings)
  const wire = {
    id,
    affiliate_id: affiliateId,
    referral_id: referralId,
    campaign_id: settings.campaignId,
    amount,
    currency,
    state,
    due_at: state === 'pending' ? undefined : createdAt,
    paid_at: state === 'paid' ? (paidAt ?? timeIn(line, 'updatedAt', settings) ?? createdAt) : undefined,
    created_at: createdAt,
    sale_id: charge === undefined ? `sale of ${id}` : charge,
    sale: {
      currency,
      charge_amount_cents: sale,
      stripe_charge_id: charge,
      charged_at: createdAt,
      created_at: createdAt,
    },
  }
  return { wire, payoutId: line.get('payout'), referralId, hasPaidAt: paidAt !== undefined }
}

export function payoutOf(line: Line, affiliates: IdsByName, settings: Settings) {
  const affiliateId = affiliateIn(line, affiliates, settings)
  const currency = currencyIn(line, settings)
  const createdAt = timeIn(line, 'createdAt', settings)
  const isPaid = paidStates.includes((line.get('status') ?? '').toLowerCase())
  const paidAt = timeIn(line, 'paidAt', settings) ?? createdAt
  if (isPaid && paidAt === undefined) settings.report(`${line.place}: the time of the payment is missing.`)
  return {
    id: line.get('id') ?? [affiliateId, currency, paidAt].join(' '),
    affiliate_id: affiliateId,
    currency,
    amount: centsIn(line, 'amount', currency, settings),
    state: isPaid ? 'paid' : 'pending',
    paid_at: isPaid ? paidAt : undefined,
    created_at: createdAt,
  }
}
