import { Prisma, type Referral, type Sale } from '../../generated/prisma/client.ts'

export type SaleSource = 'link' | 'coupon' | 'agent' | 'email' | 'by_hand'

/**
 * Where a sale comes from. A sale with the id of a referral comes from what the referral began by: a link, or what an
 * agent said when it handed the customer over. The view `reports.sales` says the same.
 */
export function saleSourceOf({
  attributedBy,
  referral: { agentProvider },
}: Pick<Sale, 'attributedBy'> & { referral: Pick<Referral, 'agentProvider'> }): SaleSource {
  if (attributedBy === 'referral_id') return agentProvider ? 'agent' : 'link'
  return attributedBy === 'manual' ? 'by_hand' : attributedBy
}

/** The same of the rows `t1` and `referral`. */
export const sourceSql = Prisma.sql`case t1.attributed_by::text
  when 'referral_id' then case when referral.agent_provider is null then 'link' else 'agent' end
  when 'manual' then 'by_hand' else t1.attributed_by::text end`
