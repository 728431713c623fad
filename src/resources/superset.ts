/** Builds the fields that only API keys with the superset profile see. They are those of the convention. */

/** A field of a resource: where its value comes from, and in which responses it is. */
export type FieldSource = (
  | { kind: 'same'; contractField: string }
  | { kind: 'field'; schemaField: string }
  | { kind: 'constant'; value: null | boolean | number; type: 'String' | 'Boolean' | 'Int'; why: string }
  | { kind: 'object'; schemaField: string; name: string; fields: Superset }
  | { kind: 'resource'; schemaField: string; type: string }
  | { kind: 'state'; schemaField: string }
) &
  Shown
/**
 * A resource has the same fields wherever it appears, except those with one of these marks.
 * - `onExpand`: in the resource itself, only if `expand` names the field.
 * - `onlyIn`: only in the response of this operation.
 * - `onlyWithin`: only in a resource within another.
 * - `within`: whether it is in a resource within another: by default always, without `onExpand`, `onlyIn` and embedded
 *   objects.
 */
type Shown = { onExpand?: true; onlyIn?: string; onlyWithin?: true; within?: 'always' | 'onExpand' | 'never' }
export type Superset = Readonly<Record<string, FieldSource>>

/** An alias of the contract's field. Accepted in bodies and as a filter too. */
export const same = (contractField: string): FieldSource => ({ kind: 'same', contractField })
export const field = (schemaField: string): FieldSource => ({ kind: 'field', schemaField })
/** Always null, since the data is not stored here. */
export const alwaysNull = (why: string): FieldSource => ({ kind: 'constant', value: null, type: 'String', why })
export const always = (value: boolean | number, why: string): FieldSource => ({
  kind: 'constant',
  value,
  type: typeof value === 'boolean' ? 'Boolean' : 'Int',
  why,
})
/** An object with these fields of a related row. `name` is the name of its schema. */
export const object = (name: string, schemaField: string, fields: Superset): FieldSource => ({
  kind: 'object',
  schemaField,
  name,
  fields,
})
/** Another resource. */
export const resource = (type: string, schemaField: string): FieldSource => ({ kind: 'resource', schemaField, type })
/** The contract's state, or the schema's field for API keys with the convention's words. */
export const state = (schemaField: string): FieldSource => ({ kind: 'state', schemaField })
export const marked = (source: FieldSource, shown: Shown): FieldSource => ({ ...source, ...shown })

/** The campaign within another resource. */
export const campaignSummary = object('CampaignSummary', 'campaign', {
  id: field('id'),
  name: field('name'),
  created_at: field('createdAt'),
  updated_at: field('updatedAt'),
})

export const noAccounts = alwaysNull('Billing accounts are not stored.')
