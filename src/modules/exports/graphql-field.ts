import type { z } from 'zod'
import { builder } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { type Field, fieldsWith, type Resource } from '../../resources/resource.ts'
import { AffiliateStateEnum } from '../affiliates/graphql-enums.ts'
import { CommissionStateEnum } from '../commissions/graphql-enums.ts'
import { PayoutStateEnum } from '../payouts/graphql-enums.ts'
import { DecimalMarkEnum } from '../programs/graphql-enums.ts'
import { ConversionStateEnum } from '../referrals/graphql-enums.ts'
import { AttributionSignalEnum, SaleOutcomeEnum } from '../sales/graphql-enums.ts'
import type { Batch, BatchOptions } from './batch.ts'
import { columnName } from './columns.ts'
import { lineFormats } from './lines.ts'

/** Exports are only in REST. In GraphQL, clients page through connections. */
const restOnly: ['rest'] = ['rest']

const LineFormatEnum = builder.enumType('LineFormat', {
  description: 'The format of a file of rows.',
  subGraphs: restOnly,
  values: lineFormats,
})

type Read<Row> = (ctx: ProgramCtx, raw: unknown, options: BatchOptions) => Promise<Batch<Row>>

const enums: Record<string, ReturnType<typeof builder.enumType>> = {
  AffiliateState: AffiliateStateEnum,
  AttributionSignal: AttributionSignalEnum,
  CommissionState: CommissionStateEnum,
  ConversionState: ConversionStateEnum,
  PayoutState: PayoutStateEnum,
  SaleOutcome: SaleOutcomeEnum,
}

const typeOf = ({ kind, enum: name = '' }: Field) =>
  ({
    id: 'ID' as const,
    word: enums[name] ?? ('String' as const),
    text: 'String' as const,
    texts: ['String'] as ['String'],
    number: 'Int' as const,
    cents: 'SafeInt' as const,
    flag: 'Boolean' as const,
    time: 'DateTime' as const,
    json: 'String' as const,
  })[kind]

type Exported = Pick<Resource, 'fields'>

/** The type of an export's rows: flat, because a row becomes a line. Its fields are the columns, in order. */
const rowType = (noun: string, { fields }: Exported) =>
  builder.objectRef<Record<string, never>>(`${noun}Row`).implement({
    description: `${/^[AEIOU]/.test(noun) ? 'An' : 'A'} ${noun.toLowerCase()}, as a row of an export.`,
    subGraphs: restOnly,
    fields: (t) =>
      Object.fromEntries(
        fieldsWith(fields, 'exported').map(([name, field]) => [
          name,
          t.expose(name, {
            type: typeOf(field),
            nullable: field.nullable ?? false,
            ...(typeof field.exported === 'string' && { description: field.exported }),
            restName: columnName(name),
          }),
        ]),
      ),
  })

/**
 * Adds a query field that reads one batch of the rows of a noun's export.
 * @param plural what the export is called, if it is not the noun with an s
 */
export function exportField(
  noun: string,
  resource: Exported,
  schema: z.ZodObject,
  read: Read<unknown>,
  description: string,
  plural = `${noun}s`,
): void {
  const name = `export${plural}`
  const row = rowType(noun, resource)
  const batch = builder.objectRef<Batch<unknown>>(`${noun}Rows`).implement({
    description: `A batch of rows of the export \`${name}\`.`,
    subGraphs: restOnly,
    fields: (t) => ({
      next: t.exposeID('next', {
        nullable: true,
        description: 'The id to continue after. Null after the last batch.',
      }),
      text: t.exposeString('text', {
        nullable: true,
        description:
          'The rows as lines of the format. Null without a format, and if the database cannot write the lines.',
      }),
      ends: t.exposeIDList('ends', {
        description: 'The ids that the next full batches end with, at most as many as the argument `ends` asks for.',
      }),
      columns: t.exposeStringList('columns', {
        description: 'The names of the columns that only this program has, after those of its rows: its own fields.',
      }),
      values: t.exposeStringList('values', {
        description: 'For each row, its values of `columns`, as JSON. Empty if `text` has them.',
      }),
      rows: t.field({
        type: [row],
        description: 'The rows of the batch, oldest first. Empty if `text` has them.',
        resolve: ({ rows }) => rows as Record<string, never>[],
      }),
    }),
  })
  builder.queryField(name, (t) =>
    t.field({
      type: batch,
      description,
      subGraphs: restOnly,
      args: {
        ...argsOf(schema),
        format: t.arg({ type: LineFormatEnum, description: 'How to write the rows as lines. Default: not at all.' }),
        decimal: t.arg({
          type: DecimalMarkEnum,
          description: 'In CSV: write amounts in units, with this decimal mark. Default: in minor units.',
        }),
        until: t.arg.id({
          description: 'The id of the last row of the batch. Default: the batch ends when it is full.',
        }),
        columns: t.arg.stringList({
          description: "Which of the program's own columns to write. Default: all.",
        }),
        ends: t.arg.int({ description: 'Read no rows, but the ids that this number of batches end with.' }),
      },
      resolve: (_root, { format, decimal, until, ends, columns, ...args }, ctx) =>
        read(programScope(ctx), args, {
          format: format ?? undefined,
          decimal: decimal ?? undefined,
          until: until ?? undefined,
          ends: ends ?? undefined,
          columns: columns ?? undefined,
        }),
    }),
  )
}
