import { Prisma } from '../../../generated/prisma/client.ts'
import type { AttributionSignal } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { readFields } from '../../../kernel/input/parse.ts'
import { nextOwnTurn } from '../../../kernel/slices.ts'
import type { CommissionRecord } from '../commissions/existing.ts'
import { saleTime } from '../commissions/keep-for-shadow.ts'
import { recordInputs } from '../input.ts'
import type { Snapshot } from '../snapshot.ts'

/** A commission of the other service. `saleId` is the sale here with the same payment. */
export type Theirs = { record: CommissionRecord; affiliateId: string; at: Date; saleId: string | null }

/** A sale that the shadow computed, with what it earned. */
export type Ours = {
  id: string
  externalId: string | null
  affiliateId: string
  occurredAt: Date
  saleCents: bigint
  currency: string
  cents: bigint
  attributedBy: AttributionSignal
}

const pageSize = 2_000

/** The commissions that imports kept, with the sales here that they are of. */
export async function readTheirs(ctx: ProgramCtx): Promise<Theirs[]> {
  const programId = ctx.program.id
  const affiliates = await ctx.db.importedRecord.findMany({
    where: { programId, kind: 'affiliate', id: { not: null } },
    select: { externalId: true, id: true },
  })
  const affiliateIds = new Map(affiliates.map(({ externalId, id }) => [externalId, id as string]))
  const all: Theirs[] = []
  for (let after = ''; ; ) {
    const rows = await ctx.db.importedRecord.findMany({
      where: { programId, kind: 'commission', id: null, externalId: { gt: after } },
      orderBy: { externalId: 'asc' },
      take: pageSize,
      select: { externalId: true, seen: true },
    })
    const records = rows.flatMap(({ seen }) => keptRecord(seen as Snapshot) ?? [])
    const sales = await salesOfBilling(
      ctx,
      records.flatMap(({ saleBillingId }) => saleBillingId ?? []),
    )
    for (const record of records) {
      const affiliateId = affiliateIds.get(record.affiliateId)
      const saleId = sales.get(record.saleBillingId ?? '') ?? null
      if (affiliateId) all.push({ record, affiliateId, at: saleTime(record), saleId })
    }
    after = rows.at(-1)?.externalId ?? ''
    if (rows.length < pageSize) return all
    await nextOwnTurn()
  }
}

function keptRecord({ kept }: Snapshot): CommissionRecord | null {
  if (typeof kept !== 'string') return null
  const raw = JSON.parse(kept) as object
  return { ...readFields(recordInputs.commission, raw).readable, shown: new Set(Object.keys(raw)) } as CommissionRecord
}

/** The sales here by an id of their payment: their own external id, or one that events of a feed connect with them. */
async function salesOfBilling(ctx: ProgramCtx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const programId = ctx.program.id
  const rows = await ctx.db.$queryRaw<{ name: string; id: string }[]>`
    select o.object as name, e.sale_id::text as id from feed_objects o
      join feed_events e on e.program_id = o.program_id and e.id = o.event_id
    where o.program_id = ${programId}::uuid and o.object = any(${[...ids]}) and e.sale_id is not null
    union all
    select external_id, id::text from sales where program_id = ${programId}::uuid and external_id = any(${[...ids]})`
  return new Map(rows.map(({ name, id }) => [name, id]))
}

/** The sales that were not imported, with the sum of their commissions that are not void. */
export const readOurs = ({ db, program }: ProgramCtx, until?: Date): Promise<Ours[]> =>
  db.$queryRaw<Ours[]>`
    select s.id::text, s.external_id as "externalId", s.affiliate_id::text as "affiliateId", s.occurred_at as "occurredAt",
      s.amount_cents as "saleCents", s.currency, s.attributed_by::text as "attributedBy",
      coalesce(sum(c.amount_cents) filter (where c.voided_at is null), 0)::bigint as cents
    from sales s left join commissions c on c.program_id = s.program_id and c.sale_id = s.id
    where s.program_id = ${program.id}::uuid ${until ? Prisma.sql`and s.occurred_at < ${until}::timestamptz` : Prisma.empty}
      and not exists (select from imported_records i
        where i.program_id = s.program_id and i.kind = 'sale' and i.id = s.id)
    group by s.program_id, s.id order by s.id`
