/**
 * The types of a client of the convention, and how it reads them. It throws if a declared field is missing or has the
 * wrong type, and ignores unknown fields. All such clients have this in common.
 */

export type Read<T> = (value: unknown, path: string) => T
type Readers = Record<string, Read<unknown>>
type Of<R extends Readers> = { [Key in keyof R]: ReturnType<R[Key]> }

export class UnexpectedAnswer extends Error {}

const fail = (path: string, wanted: string, value: unknown): never => {
  throw new UnexpectedAnswer(`${path} is ${JSON.stringify(value)?.slice(0, 80)}, not ${wanted}`)
}
const kind =
  <T>(name: string, is: (value: unknown) => boolean): Read<T> =>
  (value, path) =>
    is(value) ? (value as T) : fail(path, name, value)
const textLike = (name: string, pattern: RegExp) =>
  kind<string>(name, (value) => typeof value === 'string' && pattern.test(value))

const string = kind<string>('a string', (value) => typeof value === 'string')
const boolean = kind<boolean>('a boolean', (value) => typeof value === 'boolean')
const integer = kind<number>('an integer', Number.isSafeInteger)
const decimal = kind<number>('a number', Number.isFinite)
const uuid = textLike('a UUID', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const address = textLike('an absolute address', /^https?:\/\/[^/\s]+/)
const upperCase = textLike('a currency in upper case', /^[A-Z]{3}$/)
/** Reads dates like a library without local time. */
const instant: Read<Date> = (value, path) => {
  const isInstant = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)
  return isInstant ? new Date(value) : fail(path, 'a moment with its offset', value)
}
const one = <const Words extends readonly string[]>(...words: Words) =>
  kind<Words[number]>(`one of ${words.join(', ')}`, (value) => words.includes(value as string))
const orNull =
  <T>(read: Read<T>): Read<T | null> =>
  (value, path) =>
    value === null ? null : read(value, path)
const list =
  <T>(read: Read<T>): Read<T[]> =>
  (value, path) =>
    Array.isArray(value) ? value.map((item, index) => read(item, `${path}[${index}]`)) : fail(path, 'a list', value)
const record =
  <T>(read: Read<T>): Read<Record<string, T>> =>
  (value, path) =>
    Object.fromEntries(
      Object.entries(value ?? fail(path, 'an object', value)).map(([key, item]) => [
        upperCase(key, path),
        read(item, `${path}.${key}`),
      ]),
    )
const object =
  <R extends Readers>(readers: R): Read<Of<R>> =>
  (value, path) => {
    if (value === null || typeof value !== 'object') return fail(path, 'an object', value)
    const entries = Object.entries(readers).map(([key, read]) => {
      const field = `${path}.${key}`
      return [
        key,
        key in value ? read((value as Record<string, unknown>)[key], field) : fail(field, 'there', undefined),
      ]
    })
    return Object.fromEntries(entries) as Of<R>
  }

export const pagination = object({
  previous_page: orNull(integer),
  current_page: integer,
  next_page: orNull(integer),
  count: integer,
  limit: integer,
  total_pages: integer,
  total_count: integer,
})

export const sso = object({
  sso: object({ url: address, expires: instant }),
  affiliate: object({ id: uuid, email: string }),
})

export const failure = object({ error: string })

const campaign = {
  id: uuid,
  created_at: instant,
  updated_at: instant,
  name: string,
  url: address,
  private: boolean,
  reward_type: one('percent', 'amount'),
  commission_percent: orNull(decimal),
  commission_amount_cents: orNull(integer),
  minimum_payout_cents: integer,
  days_before_referrals_expire: integer,
  max_commissions: orNull(integer),
}
const counters = { visitors: integer, leads: integer, conversions: integer }
const link = { id: uuid, url: address, token: string, ...counters }
const coupon = { id: uuid, token: string, affiliate_id: uuid }
const affiliate = {
  id: uuid,
  created_at: instant,
  updated_at: instant,
  first_name: orNull(string),
  last_name: orNull(string),
  email: string,
  state: one('active', 'disabled', 'suspicious'),
  confirmed_at: orNull(instant),
  ...counters,
}
const referral = {
  id: uuid,
  conversion_state: one('visitor', 'lead', 'conversion'),
  became_lead_at: orNull(instant),
  became_conversion_at: orNull(instant),
  expires_at: instant,
}
const commission = { id: uuid, currency: string, amount: integer, due_at: instant, paid_at: orNull(instant) }
const payout = { id: uuid, currency: string, amount: integer, paid_at: orNull(instant) }

/** For clients that were written for the contract and read only its fields. */
export const documented = {
  campaign: object({
    ...campaign,
    commission_currency: string,
    days_before_commissions_are_due: integer,
    max_commission_period_in_months: orNull(integer),
  }),
  link: object({ ...link, affiliate_id: uuid }),
  coupon: object(coupon),
  affiliate: object({
    ...affiliate,
    wallet_a_email: orNull(string),
    wallet_b_email: orNull(string),
    billing_customer_id: orNull(string),
    campaign: object({ id: uuid, name: string }),
    links: list(object(link)),
    coupon: orNull(object(coupon)),
  }),
  referral: object({ ...referral, billing_customer_id: orNull(string), affiliate_id: uuid, campaign_id: uuid }),
  commission: object({
    ...commission,
    state: one('pending', 'due', 'paid', 'void'),
    campaign_id: uuid,
    affiliate_id: uuid,
  }),
  payout: object({ ...payout, state: one('pending', 'paid'), affiliate_id: uuid }),
}

const amount = object({ cents: integer, currency_iso: upperCase })
const stats = object({
  currencies: record(
    object({ unpaid: amount, due: amount, paid: amount, total: amount, gross_revenue: amount, net_revenue: amount }),
  ),
})
const person = {
  ...affiliate,
  paypal_email: orNull(string),
  paypal_email_confirmed_at: orNull(instant),
  wise_email: orNull(string),
  wise_email_confirmed_at: orNull(instant),
  unconfirmed_email: orNull(string),
  receive_new_commission_notifications: boolean,
  sign_in_count: integer,
  stripe_customer_id: orNull(string),
  stripe_account_id: orNull(string),
}
const promotion = {
  ...coupon,
  external_id: string,
  archived: boolean,
  archived_at: orNull(instant),
  leads: integer,
  conversions: integer,
}
const customer = object({ platform: string, id: string, name: orNull(string), email: string })
const campaignSummary = object({ id: uuid, name: string, created_at: instant, updated_at: instant })
const personWithin = object({ ...person, campaign: campaignSummary })
const visitor = {
  ...referral,
  link: orNull(object(link)),
  coupon: orNull(object(promotion)),
  visits: integer,
  customer: orNull(customer),
  created_at: instant,
  updated_at: instant,
  deactivated_at: orNull(instant),
  stripe_account_id: orNull(string),
  stripe_customer_id: orNull(string),
}
const sale = object({
  id: uuid,
  currency: string,
  charged_at: instant,
  invoiced_at: instant,
  created_at: instant,
  updated_at: instant,
  charge_amount_cents: integer,
  refund_amount_cents: integer,
  tax_amount_cents: integer,
  sale_amount_cents: integer,
  stripe_account_id: orNull(string),
  stripe_charge_id: orNull(string),
  referral: object({ ...visitor, affiliate: personWithin }),
  affiliate: personWithin,
})

/** For clients of the convention. States are in the words of their key. */
export const conventional = <Void extends 'void' | 'voided', Open extends 'pending' | 'due'>(
  voided: Void,
  payoutStates: Open[],
) => {
  const earned = {
    ...commission,
    state: one('pending', 'due', 'paid', voided),
    created_at: instant,
    updated_at: instant,
    voided_at: orNull(instant),
    stripe_account_id: orNull(string),
    campaign: campaignSummary,
  }
  return {
    campaign: object({
      ...campaign,
      ...counters,
      commission_amount_currency: orNull(string),
      minimum_payout_currency: string,
      days_until_commissions_are_due: integer,
      max_commission_period_months: orNull(integer),
      default: boolean,
      affiliates: integer,
    }),
    link: object(link),
    coupon: object(promotion),
    affiliate: object({
      ...person,
      campaign: campaignSummary,
      links: list(object(link)),
      coupon: orNull(object(promotion)),
      commission_stats: stats,
    }),
    referral: object({ ...visitor, affiliate: personWithin }),
    commission: object({ ...earned, sale }),
    sale,
    deleted: object({ id: uuid, deleted: boolean }),
    payout: object({
      ...payout,
      state: one('paid', 'failed', ...payoutStates),
      paid_by_id: orNull(uuid),
      created_at: instant,
      updated_at: instant,
      affiliate: personWithin,
      commissions: list(object(earned)),
    }),
  }
}
