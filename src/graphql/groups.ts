import type { ObjectRef } from '@pothos/core'
import { pluralOf } from '../kernel/text.ts'
import type { Field, Listing } from '../listing/listing.ts'
import { hasMoney, type Summary } from '../listing/summarise.ts'
import { type Total, totalFields } from './aggregate.ts'
import { builder, type ObjectFields, publicOnly, type Types } from './builder.ts'
import { listedDescription } from './descriptions.ts'
import { enumOf } from './enums.ts'
import { enumValueName, inWords } from './names.ts'

type Group = Total & { of: Summary }

/** Splits the fields to group by into columns and a state, which has no column because it follows from the clock. */
export const groupKeysOf = (listing: Listing, fields: readonly string[]) => ({
  columns: fields.flatMap((name) => columnOf(listing.fields[name] as Field) ?? []),
  state: fields.find((name) => listing.fields[name]?.kind === 'state'),
})

const columnOf = (field: Field): string | undefined => ('column' in field ? field.column : undefined)

export const groupOf = (listing: Listing, summary: Summary): Group => ({
  of: summary,
  summary,
  count: summary.count,
  currency: hasMoney(listing) ? (summary.keys.currency as string) : null,
})

/** The types of groups, and their fields that are ids: the schema adds the records beside them. */
export const groupings: { group: ObjectRef<Types, Group>; ids: { name: string; column: string }[] }[] = []

/** `SaleGrouping`, and the enum of the fields to group sales by; null without such fields. */
export function groupType(listing: Listing) {
  if (listing.groups.length === 0) return null
  const nouns = pluralOf(inWords(listing.noun))
  const by = builder.enumType(`${listing.noun}GroupingField`, {
    description: `Fields that ${nouns} can be grouped by.`,
    subGraphs: publicOnly,
    values: Object.fromEntries(
      listing.groups.map((name) => [
        enumValueName(name),
        { value: name, description: `Groups ${nouns} that have the same \`${name}\`.` },
      ]),
    ),
  })
  const keys = new Set([...listing.groups, ...(hasMoney(listing) ? ['currency'] : [])])
  const group = builder.objectRef<Group>(`${listing.noun}Grouping`).implement({
    description: hasMoney(listing)
      ? `The ${nouns} that have the same values in the fields they are grouped by, and the same currency.`
      : `The ${nouns} that have the same values in the fields they are grouped by.`,
    subGraphs: publicOnly,
    fields: (t) => ({
      ...Object.fromEntries([...keys].map((name) => [name, keyField(t, listing, name)])),
      ...totalFields(listing, t, false),
    }),
  })
  const ids = listing.groups.flatMap((name) => {
    const field = listing.fields[name]
    return field?.kind === 'id' ? [{ name, column: field.column }] : []
  })
  groupings.push({ group, ids })
  return { by, group }
}

function keyField(t: ObjectFields<Group>, listing: Listing, name: string) {
  const field = listing.fields[name] as Field
  return t.field({
    type: keyType(field),
    nullable: true,
    ...listedDescription(listing, name, { after: keyNullability(listing, name) }),
    resolve: ({ of }) => {
      const key = field.kind === 'state' ? of.states[name] : of.keys[columnOf(field) as string]
      return (key ?? null) as string | null
    },
  })
}

const keyNullability = (listing: Listing, name: string) =>
  name === 'currency' && hasMoney(listing)
    ? 'All rows of the group have it.'
    : `Null when \`by\` does not have \`${enumValueName(name)}\`, or the rows have no value.`

function keyType(field: Field) {
  if (field.kind === 'id') return 'ID'
  if (field.kind === 'flag') return 'Boolean'
  return field.kind === 'word' || field.kind === 'state' ? enumOf(field.enumName) : 'String'
}
