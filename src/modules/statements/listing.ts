import type { z } from 'zod'
import type { Prisma, Statement } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { baseFields, cents, counter, currency, id, one, text } from '../../listing/listing.ts'
import { carries, type Page, readRows } from '../../listing/page.ts'
import { defineListing } from '../../listing/registry.ts'
import { listStatementsInput } from './input.ts'

const { id: idField, createdAt } = baseFields

export const statementListing = defineListing({
  noun: 'Statement',
  model: 'statement',
  forAffiliate: true,
  fields: {
    id: idField,
    createdAt,
    affiliateId: id('affiliateId'),
    affiliate: one('affiliate', 'Affiliate'),
    month: text('month'),
    number: counter('number'),
    currency: currency('currency'),
    openingCents: cents('openingCents'),
    closingCents: cents('closingCents'),
  },
  orders: {},
  numbers: {},
  kept: null,
  groups: [],
})

export async function listStatements(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.StatementDefaultArgs = {},
): Promise<Page<Statement>> {
  const input = await parseInput(listStatementsInput, raw)
  return readRows(ctx, statementListing, input, statementsWhere(ctx, input), query)
}

const statementsWhere = (
  { program }: ProgramCtx,
  { affiliateId, month }: z.output<typeof listStatementsInput>,
): Prisma.StatementWhereInput => ({
  programId: program.id,
  affiliateId: carries(affiliateId),
  ...(month !== undefined && { month }),
})
