import { snakeCase } from '../../kernel/text.ts'
import { affiliates } from '../../resources/affiliates.ts'
import { namesWith, wireName } from '../../resources/resource.ts'
import { addressFields } from '../payout-methods/addresses.ts'

/** The fields of the columns, by the names of the columns. */
export const importColumns: Readonly<Record<string, string>> = Object.fromEntries(
  ['email', ...namesWith(affiliates.fields, 'inCsv'), 'token', 'coupon', 'campaign', 'groups'].map((name) => [
    snakeCase(name),
    name,
  ]),
)

/** Other names of columns, in the form of `compact`: those of the convention, and those that people write. */
const columnAliases: Record<string, string> = {
  mail: 'email',
  firstname: 'first_name',
  givenname: 'first_name',
  forename: 'first_name',
  lastname: 'last_name',
  surname: 'last_name',
  familyname: 'last_name',
  linktoken: 'token',
  via: 'token',
  stripecustomerid: 'billing_customer_id',
  couponcode: 'coupon',
  coupontoken: 'coupon',
  coupontokens: 'coupon',
  coupons: 'coupon',
  campaignid: 'campaign',
  campaignname: 'campaign',
  group: 'groups',
}

/** Columns of payout addresses, by the names of their methods. */
const addressAliases = Object.entries(addressFields).flatMap(([name, { columns }]) =>
  columns.map((column): [string, string] => [column, snakeCase(name)]),
)

/** "First Name", "FirstName" and "FIRST_NAME *" are one column, so are "PayPal E-mail address" and "paypal_email". */
const compact = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/emailaddress$/, 'email')

const columnsByName = new Map([
  ...Object.entries(columnAliases),
  ...addressAliases,
  ...Object.keys(importColumns).map((name): [string, string] => [compact(name), name]),
])

const otherNames: ReadonlySet<string> = new Set([
  ...Object.entries(affiliates.fields).map(([name, field]) => wireName(name, field)),
  ...Object.keys(affiliates.superset),
])

/** Whether an own field cannot have the name: files and the superset of REST have it already. */
export const isBuiltIn = (name: string): boolean => columnsByName.has(compact(name)) || otherNames.has(name)

export type NamedField = { name: string; label: string }

/** The columns that a file can have, with their fields, and the column that a name in a header means. */
export type FileColumns = { fields: Readonly<Record<string, string>>; columnOf(name: string): string }

const ownPrefix = 'ownFields.'

/** Own fields are known by their names and by their labels, after the columns that every program has. */
export function columnsWith(ownFields: readonly NamedField[]): FileColumns {
  const fields = Object.assign({}, importColumns, ownColumnsOf(ownFields))
  const columns = new Map([
    ...ownFields.map(({ name, label }): [string, string] => [compact(label), name]),
    ...ownFields.map(({ name }): [string, string] => [compact(name), name]),
    ...columnsByName,
  ])
  return {
    fields,
    columnOf(name) {
      const trimmed = name.trim()
      return Object.hasOwn(fields, trimmed) ? trimmed : (columns.get(compact(name)) ?? trimmed)
    },
  }
}

const ownColumnsOf = (ownFields: readonly NamedField[]): Record<string, string> =>
  Object.fromEntries(ownFields.map(({ name }) => [name, `${ownPrefix}${name}`]))

/** The values of own fields in a line, as an input. Empty cells are left out. */
export const ownFieldsIn = (fields: Readonly<Record<string, string>>): { name: string; value: string }[] =>
  Object.entries(fields).flatMap(([field, value]) =>
    field.startsWith(ownPrefix) && value.trim() !== '' ? [{ name: field.slice(ownPrefix.length), value }] : [],
  )
