import { snakeCase } from '../../kernel/text.ts'
import { type Resource, wireName } from '../../resources/resource.ts'
import { type Rendered, type Row, textOf, timeOrNull } from './state.ts'

/** A row as the superset shows it. @param computed values that are no columns; without one, it is left out */
export function renderResource({ object, fields, superset }: Resource, row: Row, computed: Rendered): Rendered {
  const columnOf = (name: string) => {
    const column = snakeCase(name)
    return fields[name]?.kind === 'time' ? timeOrNull(row, column) : (row[column] ?? null)
  }
  const rendered: Rendered = { id: textOf(row, 'id'), object }
  for (const [name, field] of Object.entries(fields)) {
    const wire = wireName(name, field)
    if (field.contract) rendered[wire] = Object.hasOwn(computed, wire) ? computed[wire] : columnOf(name)
  }
  for (const [name, source] of Object.entries(superset)) {
    if (Object.hasOwn(computed, name)) rendered[name] = computed[name]
    else if (source.kind === 'same') rendered[name] = rendered[source.contractField]
    else if (source.kind === 'constant' && !source.onlyIn) rendered[name] = source.value
    else if (source.kind === 'field' && fields[source.schemaField]) rendered[name] = columnOf(source.schemaField)
  }
  return rendered
}
