import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { findPerson, type Person } from './find.ts'
import { personInput } from './input.ts'

export type PersonExport = Person & { email: string; json: string }

/** For each kind of record, the newest; an affiliate can have millions. */
const maximumRows = 10_000

/**
 * All stored data about a person, as JSON with the names of columns: at most the 10,000 newest records of each kind.
 * @throws INVALID_INPUT if the address is malformed; NOT_FOUND if the program does not know it
 */
export async function exportPerson(ctx: ProgramCtx, raw: { email: string }): Promise<PersonExport> {
  const { db, program } = ctx
  const { email } = await parseInput(personInput, raw)
  const person = await findPerson(db, ctx, email)
  const key = emailKey(email)
  const rows = async (table: string, condition: string, id: string | null, order = 't.id') => {
    if (id === null) return []
    const [found] = await db.$queryRawUnsafe<[{ rows: unknown[] }]>(
      `select coalesce(jsonb_agg(row order by row ->> 'id' desc), '[]') as rows from (
        select to_jsonb(t) - array['program_id', 'email_key', 'token_key', 'to_key', 'token_hash', 'tax_id', 'us_tax_id', 'supplier_tax_id'] as row from ${table} t
        where t.program_id = $1::uuid and ${condition} order by ${order} desc limit ${maximumRows}) newest`,
      program.id,
      id,
    )
    return found.rows
  }
  const { customerId, affiliateId, unattributedSaleIds } = person
  const ofCustomer = 't.customer_id = $2::uuid'
  const ofAffiliate = 't.affiliate_id = $2::uuid'
  const history = "t.subject = 'affiliate' and t.subject_id = $2::uuid"
  const visits = `exists (select from referrals r
    where r.program_id = t.program_id and r.id = t.referral_id and r.customer_id = $2::uuid)`
  const document = {
    email,
    program: program.slug,
    exported_at: ctx.now(),
    customer: await rows('customers', 't.id = $2::uuid', customerId),
    referrals: await rows('referrals', ofCustomer, customerId),
    visits: await rows('visits', visits, customerId),
    sales: await rows('sales', ofCustomer, customerId),
    unattributed_sales: (
      await Promise.all(unattributedSaleIds.map((id) => rows('unattributed_sales', 't.id = $2::uuid', id)))
    ).flat(),
    affiliate: await rows('affiliates', 't.id = $2::uuid', affiliateId),
    affiliate_links: await rows('affiliate_links', ofAffiliate, affiliateId),
    affiliate_coupons: await rows('affiliate_coupons', ofAffiliate, affiliateId),
    affiliate_group_memberships: await rows('affiliate_group_memberships', ofAffiliate, affiliateId),
    applications: await rows('applications', 't.email_key = $2', key),
    accepted_terms: await rows('terms_acceptances', ofAffiliate, affiliateId, 't.version'),
    mails: await rows('mails', 't.to_key = $2', key),
    mail_choices: await rows('mail_choices', ofAffiliate, affiliateId, 't.updated_at'),
    mail_stops: await rows('mail_stops', 't.email_key = $2', key, 't.created_at'),
    commissions: await rows('commissions', ofAffiliate, affiliateId),
    payouts: await rows('payouts', ofAffiliate, affiliateId),
    statements: await rows('statements', ofAffiliate, affiliateId),
    self_billing_agreements: await rows('self_billing_agreements', ofAffiliate, affiliateId, 't.version'),
    invoices: await rows('invoices', ofAffiliate, affiliateId),
    tax_profiles: await rows('tax_profiles', ofAffiliate, affiliateId, 't.number'),
    history: await rows('changes', history, affiliateId),
  }
  return { ...person, email, json: JSON.stringify(document) }
}
