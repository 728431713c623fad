/** Runs a statement of a source or a target. Rows have text and JSON only: drivers read other types differently. */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>

type Column = { name: string; type: string; hasSequence: boolean }

export type Table = {
  name: string
  columns: readonly Column[]
  key: readonly Column[]
}

/** The schema that a target has while a move into it has not ended. Migrations begin in an empty public schema only. */
export const markerSchema = 'tributary_move'

type Described = { name: string; columns: Column[]; key: string[]; referenced: string[] }

/** The tables of the schema, each after those that its rows refer to. */
export async function readTables(query: Query): Promise<Table[]> {
  const described = await query<Described>(
    `select c.relname::text as name,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod),
          'hasSequence', pg_get_serial_sequence(quote_ident(c.relname), attname) is not null) order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      (select json_agg(attname order by place)
        from pg_index i cross join unnest(i.indkey) with ordinality as part(attnum, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = part.attnum
        where i.indrelid = c.oid and i.indisprimary) as key,
      (select coalesce(json_agg(distinct target.relname), '[]')
        from pg_constraint join pg_class target on target.oid = confrelid
        where contype = 'f' and conrelid = c.oid and confrelid <> c.oid) as referenced
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> '_prisma_migrations'
    order by 1`,
  )
  const ordered = new Set<Described>()
  const add = (table: Described) => {
    for (const name of table.referenced) {
      const referenced = described.find((one) => one.name === name)
      if (referenced && !ordered.has(referenced)) add(referenced)
    }
    ordered.add(table)
  }
  for (const table of described) add(table)
  return [...ordered].map(({ name, columns, key }) => ({
    name,
    columns,
    key: key.map((part) => columns.find((column) => column.name === part) as Column),
  }))
}

export const quoted = (name: string) => `"${name}"`

/** Whether a column has the id of a transaction, which means nothing in another database. */
export const isTransactionId = ({ type }: Column) => type === 'xid8'

/** The columns that rows are ordered by, in the same way in every database. */
export const orderOf = ({ key }: Table): string[] =>
  key.map(({ name, type }) => (/^(text|character)/.test(type) ? `${quoted(name)} collate "C"` : quoted(name)))

/** The condition for rows up to a key, or after it. The values are parameters from $1. */
export const conditionOf = (table: Table, operator: '<=' | '>'): string => {
  const values = table.key.map(({ type }, index) => `$${index + 1}::text::${type}`)
  return `(${orderOf(table).join(', ')}) ${operator} (${values.join(', ')})`
}

export const keyText = ({ key }: Table) =>
  `json_build_array(${key.map(({ name }) => `${quoted(name)}::text`).join(', ')})`
