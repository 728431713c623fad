/**
 * SQL for the time by which the affiliate `a` should have accepted terms, but has not. Null: no acceptance is missing.
 * An affiliate who accepts a version accepts all before it.
 */
export const termsRequiredFrom = (a: string): string => `(
  select min(v.required_from) from terms_versions v
  where v.program_id = ${a}.program_id and v.required_from is not null
    and not exists (select from terms_acceptances t
      where t.program_id = v.program_id and t.affiliate_id = ${a}.id and t.version >= v.number)
    and not exists (select from applications t
      where t.program_id = v.program_id and t.affiliate_id = ${a}.id and t.terms_version >= v.number))`

/** Whether commissions of the affiliate are held now, until they accept terms. */
export const lacksTerms = ({ termsRequiredFrom: from }: { termsRequiredFrom: Date | null }, now: Date): boolean =>
  from !== null && from <= now
