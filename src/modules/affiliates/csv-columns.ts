import { snakeCase } from '../../kernel/text.ts'
import { affiliates } from '../../resources/affiliates.ts'
import { namesWith, wireName } from '../../resources/resource.ts'

/** The fields of the columns, by the names of the columns. */
export const importColumns: Readonly<Record<string, string>> = Object.fromEntries(
  ['email', ...namesWith(affiliates.fields, 'inCsv'), 'token', 'coupon', 'campaign', 'groups'].map((name) => [
    snakeCase(name),
    name,
  ]),
)

/** Other names of columns: those of the convention, and those that people and spreadsheets write. */
const columnAliases: Record<string, string> = {
  e_mail: 'email',
  mail: 'email',
  email_address: 'email',
  e_mail_address: 'email',
  firstname: 'first_name',
  given_name: 'first_name',
  lastname: 'last_name',
  surname: 'last_name',
  family_name: 'last_name',
  link_token: 'token',
  via: 'token',
  paypal_email: 'wallet_a_email',
  paypal: 'wallet_a_email',
  wise_email: 'wallet_b_email',
  wise: 'wallet_b_email',
  stripe_customer_id: 'billing_customer_id',
  coupon_code: 'coupon',
  coupon_token: 'coupon',
  coupon_tokens: 'coupon',
  coupons: 'coupon',
  campaign_id: 'campaign',
  group: 'groups',
  campaign_name: 'campaign',
}

/** "First Name", "first-name" and "FIRST_NAME" are one column. */
export function columnNamed(name: string): string {
  const words = name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')
  return columnAliases[words] ?? words
}

/** The names of columns that own fields cannot have: those of imports and exports, and those of the superset. */
export const builtInColumns: ReadonlySet<string> = new Set([
  ...Object.keys(importColumns),
  ...Object.keys(columnAliases),
  ...Object.entries(affiliates.fields).map(([name, field]) => wireName(name, field)),
  ...Object.keys(affiliates.superset),
])

export type NamedField = { name: string; label: string }

/** The columns that a file can have, with their fields, and other names of own fields: their labels. */
export type FileColumns = { fields: Readonly<Record<string, string>>; labels: Readonly<Record<string, string>> }

const ownPrefix = 'ownFields.'

export const columnsWith = (ownFields: readonly NamedField[]): FileColumns => ({
  fields: Object.assign(Object.fromEntries(ownFields.map(({ name }) => [name, `${ownPrefix}${name}`])), importColumns),
  labels: Object.fromEntries(ownFields.map(({ name, label }) => [columnNamed(label), name])),
})

/** The values of own fields in a line, as an input. Empty cells are left out. */
export const ownFieldsIn = (fields: Readonly<Record<string, string>>): { name: string; value: string }[] =>
  Object.entries(fields).flatMap(([field, value]) =>
    field.startsWith(ownPrefix) && value.trim() !== '' ? [{ name: field.slice(ownPrefix.length), value }] : [],
  )
