/**
 * Temporary values in SQL that no other row can have, so that rows can exchange unique values.
 * `test/cli/program-file.test.ts` checks that each unique index is covered here or below.
 */
export const parked: Record<string, Record<string, string>> = {
  affiliates: { email_key: 't.id::text' },
  affiliate_coupons: { token_key: 't.id::text', first_of: 'null' },
  affiliate_groups: { name_key: 't.id::text' },
  affiliate_links: { token_key: 't.id::text' },
  campaigns: { is_default: 'false' },
  commissions: { external_id: 'null' },
  customers: { email_key: 't.id::text' },
  payouts: { paid_at: `'epoch'` },
  payout_run_items: { state: `'cancelled'` },
  refunds: { external_id: 'null' },
  sales: { external_id: 'null' },
  scheduled_runs: { run_id: 'null' },
  statement_keys: { retired_at: `'epoch'` },
  tax_profiles: { replaced_at: `'epoch'` },
  unattributed_sales: { external_id: 'null', sale_id: 'null' },
  waiting_refunds: { external_id: 'null' },
}

/** Unique indexes whose values rows do not exchange. */
export const notExchanged: Record<string, string> = {
  affiliate_group_memberships_present: 'a membership stays with its affiliate and group',
  assets_program_id_number_key: 'an asset keeps its number',
  commissions_one_earned_per_sale: 'a commission stays with its sale',
  commissions_one_credit_per_refund: 'a commission stays with its refund',
  commissions_one_debt_per_refund: 'a commission stays with its refund',
  events_program_id_subject_id_version_key: 'events are not changed',
  feed_events_program_id_feed_id_external_id_key: 'an event stays with its feed',
  invoices_are_cancelled_once: 'invoices are not changed',
  invoices_one_of_a_statement: 'invoices are not changed',
  invoices_program_id_vat_commission_id_key: 'invoices are not changed',
  invoices_program_id_year_place_key: 'invoices are not changed',
  payout_batches_program_id_run_id_number_key: 'a batch keeps its number',
  payout_run_items_program_id_run_id_payout_id_key: 'a payment stays with its run',
  payout_services_program_id_service_key: 'a connection stays with its service',
  programs_previous_publishable_key_key: 'a file has one program',
  programs_publishable_key_key: 'a file has one program',
  programs_slug_key: 'a file has one program',
  statement_months_program_id_month_key: 'a closed month stays',
  statement_months_program_id_number_key: 'a closed month stays',
  statements_program_id_affiliate_id_currency_month_key: 'a statement stays in its month',
  statements_program_id_affiliate_id_currency_number_key: 'a statement keeps its number',
}
