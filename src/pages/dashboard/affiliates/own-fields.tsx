import type { UseFormReturn } from 'react-hook-form'
import type { OwnFieldDefinitionFragment } from '../../../generated/dashboard/affiliates/graphql.ts'
import { OwnFieldDefinitionsDocument } from '../../../generated/dashboard/affiliates/graphql.ts'
import type { Column } from '../../parts/table.tsx'
import { useData } from '../api/use-data.ts'
import { SelectField, TextField } from '../form/fields.tsx'
import type { Filter } from '../list/filters.tsx'
import type { ListSearch } from '../list/search.ts'
import { texts } from '../texts.ts'

export type Definition = OwnFieldDefinitionFragment
type Value = { name: string; value: string }

/** The program's own fields of affiliates; undefined until they are known. */
export const useOwnFields = (): readonly Definition[] | undefined =>
  useData(OwnFieldDefinitionsDocument, {}).data?.affiliateFields

/** The name of an own field in a form and in the address of the list. */
const keyOf = ({ name }: Pick<Definition, 'name'>) => `own_${name}`

/** The values of a form's own fields. A field without a value is an empty text. */
export const ownValuesOf = (definitions: readonly Definition[], values: readonly Value[] = []) =>
  Object.fromEntries(
    definitions.map((field) => [keyOf(field), values.find(({ name }) => name === field.name)?.value ?? '']),
  )

/** The input of the values that differ from those before. An empty one is removed. */
export function ownInputOf(
  definitions: readonly Definition[],
  values: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): { ownFields?: { name: string; value: string | null }[] } {
  const ownFields = definitions.flatMap((field) => {
    const value = values[keyOf(field)]?.trim() ?? ''
    return value === (before[keyOf(field)] ?? '') ? [] : [{ name: field.name, value: value === '' ? null : value }]
  })
  return ownFields.length > 0 ? { ownFields } : {}
}

/** The values of a form without those of own fields. */
export const withoutOwn = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !key.startsWith('own_'))) as Values

export function OwnInputs<Values extends object>({
  form,
  definitions,
}: {
  form: UseFormReturn<Values>
  definitions: readonly Definition[]
}) {
  const plain = form as unknown as UseFormReturn<Record<string, string>>
  return definitions.map((field) => {
    const { label, type, choices } = field
    const name = keyOf(field)
    if (type !== 'CHOICE')
      return (
        <TextField
          key={name}
          form={plain}
          name={name}
          label={label}
          type={type === 'DATE' ? 'date' : 'text'}
          {...(type === 'NUMBER' && { inputMode: 'decimal' })}
        />
      )
    // A value that is no choice any more stays until another one is chosen.
    const present = plain.getValues(name)
    const all = !present || choices.includes(present) ? choices : [...choices, present]
    const options = [{ value: '', name: texts.affiliates.one.none }, ...all.map((value) => ({ value, name: value }))]
    return <SelectField key={name} form={plain} name={name} label={label} options={options} />
  })
}

/** The columns of the list, which a person can show. */
export const ownColumns = <Node extends { ownFields: readonly Value[] }>(
  definitions: readonly Definition[],
): Column<Node>[] =>
  definitions.map(({ name, label }) => {
    const valueIn = ({ ownFields }: Node) => ownFields.find((field) => field.name === name)?.value
    // The file has the name of the field, which an import reads.
    return { name: label, key: `own_${name}`, cell: valueIn, csv: { [name]: valueIn }, isExtra: true }
  })

export const ownFilters = (definitions: readonly Definition[]): Filter[] =>
  definitions.map((field): Filter => {
    const { label, type, choices } = field
    const name = keyOf(field)
    if (type === 'CHOICE')
      return { kind: 'choice', name, label, options: choices.map((value) => ({ value, name: value })) }
    return type === 'DATE' ? { kind: 'day', name, label } : { kind: 'text', name, label }
  })

/** The conditions that the address of the list has on own fields. Texts match in part. */
export const ownConditions = (definitions: readonly Definition[], search: ListSearch) =>
  definitions.flatMap((field) => {
    const value = search[keyOf(field)]
    if (value === undefined) return []
    return [{ ownFields: { name: field.name, ...(field.type === 'TEXT' ? { contains: value } : { equals: value }) } }]
  })
