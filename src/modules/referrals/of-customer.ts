import type { Referral } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'

export const customerSources = ['link', 'coupon', 'agent', 'by_hand'] as const
export type CustomerSource = (typeof customerSources)[number]

/** What decides whom a customer belongs to, and what is said of it. */
export type CustomerReferral = Pick<
  Referral,
  | 'id'
  | 'affiliateId'
  | 'linkId'
  | 'couponId'
  | 'agentProvider'
  | 'becameConversionAt'
  | 'expiresAt'
  | 'endedAt'
  | 'createdAt'
>

/**
 * The referral of each customer, in the order of the ids: that to which a sale without another signal belongs now, else
 * the last that did. Null for a customer whom nobody referred. One statement.
 */
export async function referralsOfCustomers(
  { db, program, now }: ProgramCtx,
  ids: readonly string[],
): Promise<(CustomerReferral | null)[]> {
  const at = now()
  const rows = await db.$queryRaw<(CustomerReferral & { customerId: string })[]>`
    select distinct on (c.id) c.id as "customerId", r.id, r.affiliate_id as "affiliateId", r.link_id as "linkId",
      r.coupon_id as "couponId", r.agent_provider as "agentProvider", r.became_conversion_at as "becameConversionAt", r.expires_at as "expiresAt",
      r.ended_at as "endedAt", r.created_at as "createdAt"
    from unnest(${[...ids]}::uuid[]) as c (id)
      cross join lateral (
        select id from referrals where program_id = ${program.id}::uuid and customer_id = c.id
        union
        select referral_id from sales where program_id = ${program.id}::uuid and customer_id = c.id
      ) known
      join referrals r on r.program_id = ${program.id}::uuid and r.id = known.id
      join affiliates a on a.program_id = r.program_id and a.id = r.affiliate_id
      cross join lateral (select (r.ended_at is null or r.ended_at > ${at}) and a.state = 'active'
        and (r.became_conversion_at is not null or (r.became_lead_at is not null and r.expires_at > ${at})) as counts) now
    order by c.id, now.counts desc, case when now.counts then r.became_conversion_at end, r.ended_at desc nulls first,
      r.became_conversion_at desc nulls last, r.id desc`
  const known = new Map(rows.map(({ customerId, ...row }) => [customerId, row]))
  return ids.map((id) => known.get(id) ?? null)
}

/** An agent can name a link too. */
export const sourceOf = ({
  linkId,
  couponId,
  agentProvider,
}: Pick<Referral, 'linkId' | 'couponId' | 'agentProvider'>): CustomerSource =>
  agentProvider ? 'agent' : linkId ? 'link' : couponId ? 'coupon' : 'by_hand'

/** Until when sales of the customer belong to the referral. Null: without an end, as for a customer who has bought. */
export const endOf = ({ becameConversionAt, expiresAt, endedAt }: CustomerReferral): Date | null =>
  endedAt ?? (becameConversionAt ? null : expiresAt)
