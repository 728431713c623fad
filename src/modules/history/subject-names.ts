import { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { HistorySubject } from './service.ts'

const nameOfPerson = `coalesce(nullif(concat_ws(' ', first_name, last_name), ''), email)`

/** Money has the name of whom it is for. */
const nameOfAffiliate = (table: string) => `(
  select ${nameOfPerson} from affiliates a where a.program_id = ${table}.program_id and a.id = ${table}.affiliate_id)`

/** Where the present names of subjects are. Other subjects have no name. */
const names: Partial<Record<HistorySubject, { table: string; name: string }>> = {
  affiliate: { table: 'affiliates', name: nameOfPerson },
  campaign: { table: 'campaigns', name: 'name' },
  application: { table: 'applications', name: nameOfPerson },
  affiliate_group: { table: 'affiliate_groups', name: 'name' },
  customer: { table: 'customers', name: 'coalesce(name, email)' },
  api_key: { table: 'api_keys', name: 'name' },
  commission: { table: 'commissions', name: nameOfAffiliate('commissions') },
  payout: { table: 'payouts', name: nameOfAffiliate('payouts') },
  sale: { table: 'sales', name: 'coalesce(external_id, customer_name)' },
  unattributed_sale: { table: 'unattributed_sales', name: 'coalesce(external_id, customer_name, email)' },
  feed: { table: 'feeds', name: 'name' },
  payout_service: { table: 'payout_services', name: 'account' },
  mail: { table: 'mails', name: 'subject' },
  referral: {
    table: 'referrals',
    name: `(
  select coalesce(c.name, c.email) from customers c
  where c.program_id = referrals.program_id and c.id = referrals.customer_id)`,
  },
  webhook_endpoint: { table: 'webhook_endpoints', name: 'coalesce(description, url)' },
}

/** The present names of subjects of one kind, in the order of their ids. Null if deleted. One statement. */
export async function namesOf(
  { db }: Pick<Ctx, 'db'>,
  programId: string,
  subject: HistorySubject,
  ids: readonly string[],
): Promise<(string | null)[]> {
  const source = names[subject]
  if (!source) return ids.map(() => null)
  const rows = await db.$queryRaw<{ id: string; name: string | null }[]>`
    select id, ${Prisma.raw(source.name)} as name from ${Prisma.raw(source.table)}
    where program_id = ${programId}::uuid and id = any (${[...ids]}::uuid[])`
  const known = new Map(rows.map(({ id, name }) => [id, name]))
  return ids.map((id) => known.get(id) ?? null)
}

/** The subjects that are an amount of money. */
const amounts: Partial<Record<HistorySubject, string>> = {
  commission: 'commissions',
  payout: 'payouts',
  payout_run: 'payout_runs',
  sale: 'sales',
  unattributed_sale: 'unattributed_sales',
}

/**
 * The present amounts of subjects of one kind, in the order of their ids. A subject that has no amount, or was
 * deleted, has null.
 */
export async function amountsOf(
  { db }: Pick<Ctx, 'db'>,
  programId: string,
  subject: HistorySubject,
  ids: readonly string[],
): Promise<(Money | null)[]> {
  const table = amounts[subject]
  if (!table) return ids.map(() => null)
  const rows = await db.$queryRaw<{ id: string; cents: bigint; currency: string }[]>`
    select id, amount_cents as cents, currency from ${Prisma.raw(table)}
    where program_id = ${programId}::uuid and id = any (${[...ids]}::uuid[])`
  const known = new Map(rows.map(({ id, cents, currency }) => [id, { amountCents: cents, currency }]))
  return ids.map((id) => known.get(id) ?? null)
}

type Money = { amountCents: bigint; currency: string }
