-- Views for tools that read SQL, such as Metabase or a notebook: see docs/reports.md. Their names and columns are stable. New columns come
-- last, because PostgreSQL replaces a view only then, and the rights of roles stay.
--
-- A view reads its tables as their owner, who sees all programs. So each view names the programs of the role that asks: those that it was
-- let in to by `tributary reports grant`, and all for the owner of the tables.

CREATE SCHEMA IF NOT EXISTS reports;

COMMENT ON SCHEMA reports IS 'Read-only views of the data of affiliate programs, for BI tools. Amounts are in units of the currency, and in minor units in columns that end with _cents.';

-- The decimal places follow ISO 4217, as src/kernel/money/decimals.ts.
CREATE OR REPLACE FUNCTION reports.units(cents bigint, currency text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN "currency" IN ('bif', 'clp', 'djf', 'gnf', 'isk', 'jpy', 'kmf', 'krw', 'pyg', 'rwf', 'ugx', 'uyi', 'vnd', 'vuv', 'xaf', 'xof',
      'xpf', 'xdr', 'xsu', 'xua') THEN "cents"::numeric
    WHEN "currency" IN ('bhd', 'iqd', 'jod', 'kwd', 'lyd', 'omr', 'tnd') THEN round("cents"::numeric / 1000, 3)
    WHEN "currency" IN ('clf', 'uyw') THEN round("cents"::numeric / 10000, 4)
    ELSE round("cents"::numeric / 100, 2)
  END
$$;

CREATE OR REPLACE VIEW reports.programs WITH (security_barrier) AS
  SELECT p.id AS program_id, p.slug AS program, p.name, p.url, p.currency, p.time_zone, p.is_sandbox, p.created_at
  FROM programs p
  WHERE p.deleted_at IS NULL AND (
    pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = 'programs'::regclass), 'USAGE')
    -- A role that was dropped since is in no catalog, and asking for its members would fail.
    OR EXISTS (SELECT FROM report_grants g JOIN pg_roles r ON r.rolname = g.role
      WHERE g.program_id = p.id AND pg_has_role(current_user, r.oid, 'USAGE')));

CREATE OR REPLACE VIEW reports.campaigns WITH (security_barrier) AS
  SELECT c.program_id, p.program, c.id AS campaign_id, c.name, c.url, c.is_default, c.private AS is_private,
    c.reward_type::text AS reward_type, c.commission_basis_points / 100.0 AS commission_percent,
    reports.units(c.commission_amount_cents, c.commission_currency) AS commission_amount, c.commission_amount_cents, c.commission_currency,
    c.days_before_referrals_expire, c.days_before_commissions_are_due, c.rules_version, c.archived_at, c.created_at, c.updated_at
  FROM campaigns c JOIN reports.programs p ON p.program_id = c.program_id;

CREATE OR REPLACE VIEW reports.affiliates WITH (security_barrier) AS
  SELECT a.program_id, p.program, a.id AS affiliate_id, a.email, a.first_name, a.last_name,
    coalesce(nullif(concat_ws(' ', a.first_name, a.last_name), ''), a.email) AS name, a.company, a.language, a.state::text AS state,
    a.campaign_id, c.name AS campaign,
    ARRAY(SELECT g.name FROM affiliate_group_memberships m JOIN affiliate_groups g ON g.program_id = m.program_id AND g.id = m.group_id
      WHERE m.program_id = a.program_id AND m.affiliate_id = a.id AND m.until_at IS NULL ORDER BY g.name) AS groups,
    a.preferred_payout_method::text AS payout_method, a.confirmed_at, a.created_at, a.updated_at
  FROM affiliates a JOIN reports.programs p ON p.program_id = a.program_id
    JOIN campaigns c ON c.program_id = a.program_id AND c.id = a.campaign_id;

CREATE OR REPLACE VIEW reports.customers WITH (security_barrier) AS
  SELECT u.program_id, p.program, u.id AS customer_id, u.email, u.name, u.created_at, u.updated_at
  FROM customers u JOIN reports.programs p ON p.program_id = u.program_id;

CREATE OR REPLACE VIEW reports.visits WITH (security_barrier) AS
  SELECT v.program_id, p.program, v.id AS visit_id, v.referral_id, l.affiliate_id, v.link_id, l.token AS link, v.url, v.referrer, v.at AS visited_at
  FROM visits v JOIN reports.programs p ON p.program_id = v.program_id
    JOIN affiliate_links l ON l.program_id = v.program_id AND l.id = v.link_id;

CREATE OR REPLACE VIEW reports.referrals WITH (security_barrier) AS
  SELECT r.program_id, p.program, r.id AS referral_id, r.affiliate_id, r.campaign_id, r.customer_id,
    CASE WHEN r.became_conversion_at IS NOT NULL THEN 'conversion' WHEN r.became_lead_at IS NOT NULL THEN 'lead' ELSE 'visitor' END AS state,
    CASE WHEN r.agent_provider IS NOT NULL THEN 'agent' WHEN r.link_id IS NOT NULL THEN 'link' WHEN r.coupon_id IS NOT NULL THEN 'coupon' ELSE 'other' END AS source,
    l.token AS link, k.token AS coupon, r.sub, r.became_lead_at, r.became_conversion_at, r.expires_at, r.ended_at, r.created_at, r.updated_at
  FROM referrals r JOIN reports.programs p ON p.program_id = r.program_id
    LEFT JOIN affiliate_links l ON l.program_id = r.program_id AND l.id = r.link_id
    LEFT JOIN affiliate_coupons k ON k.program_id = r.program_id AND k.id = r.coupon_id;

CREATE OR REPLACE VIEW reports.sales WITH (security_barrier) AS
  SELECT s.program_id, p.program, s.id AS sale_id, s.external_id, s.referral_id, s.affiliate_id, s.campaign_id, s.customer_id, s.currency,
    reports.units(s.amount_cents, s.currency) AS amount, s.amount_cents,
    reports.units(s.refunded_cents, s.currency) AS refunded, s.refunded_cents,
    reports.units(s.amount_cents - s.refunded_cents, s.currency) AS net, s.amount_cents - s.refunded_cents AS net_cents,
    s.billing_interval::text AS billing_interval, s.payment_number, s.attributed_by::text AS attributed_by,
    s.no_commission_reason::text AS no_commission_reason, s.occurred_at, s.created_at, s.updated_at,
    CASE s.attributed_by::text WHEN 'referral_id' THEN CASE WHEN r.agent_provider IS NULL THEN 'link' ELSE 'agent' END
      WHEN 'manual' THEN 'by_hand' ELSE s.attributed_by::text END AS source
  FROM sales s JOIN reports.programs p ON p.program_id = s.program_id
    LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id;

CREATE OR REPLACE VIEW reports.refunds WITH (security_barrier) AS
  SELECT f.program_id, p.program, f.id AS refund_id, f.external_id, f.sale_id, s.affiliate_id, s.campaign_id, s.customer_id, s.currency,
    reports.units(f.amount_cents, s.currency) AS amount, f.amount_cents,
    coalesce(f.occurred_at, f.created_at) AS occurred_at, f.reversed_at, f.reversal_reason, f.created_at,
    coalesce(f.reversed_at, f.created_at) AS updated_at
  FROM refunds f JOIN reports.programs p ON p.program_id = f.program_id JOIN sales s ON s.program_id = f.program_id AND s.id = f.sale_id;

CREATE OR REPLACE VIEW reports.commissions WITH (security_barrier) AS
  SELECT c.program_id, p.program, c.id AS commission_id, c.kind::text AS kind, c.external_id, c.sale_id, c.corrects_sale_id, c.refund_id,
    c.referral_id, c.affiliate_id, c.campaign_id, c.payout_id, c.currency, reports.units(c.amount_cents, c.currency) AS amount, c.amount_cents,
    CASE WHEN c.voided_at IS NOT NULL THEN 'void' WHEN c.paid_at IS NOT NULL THEN 'paid'
      -- The clock of a sandbox can be ahead.
      WHEN c.held_reason IS NULL AND c.due_at <= now() + o.clock_advanced_by_days * interval '24 hours' THEN 'due'
      ELSE 'pending' END AS state,
    c.held_reason::text AS held_reason, c.reason, c.rule_id,
    (SELECT rule ->> 'name' FROM commission_rule_versions v, jsonb_array_elements(v.rules) rule
      WHERE v.program_id = c.program_id AND v.campaign_id = c.campaign_id AND rule ->> 'id' = c.rule_id::text
      ORDER BY v.number DESC LIMIT 1) AS rule,
    (SELECT max(v.number) FROM commission_rule_versions v
      WHERE v.program_id = c.program_id AND v.campaign_id = c.campaign_id AND v.holds_from <= c.occurred_at) AS rules_version,
    c.rule_basis_points / 100.0 AS rule_percent,
    reports.units(c.rule_amount_cents, c.currency) AS rule_amount, c.rule_amount_cents,
    c.occurred_at, c.due_at, c.paid_at, c.voided_at, c.created_at, c.updated_at
  FROM commissions c JOIN reports.programs p ON p.program_id = c.program_id JOIN programs o ON o.id = c.program_id;

CREATE OR REPLACE VIEW reports.payouts WITH (security_barrier) AS
  SELECT o.program_id, p.program, o.id AS payout_id, o.affiliate_id, o.currency, reports.units(o.amount_cents, o.currency) AS amount, o.amount_cents,
    CASE WHEN o.paid_at IS NOT NULL THEN 'paid' WHEN o.failed_at IS NOT NULL THEN 'failed' WHEN o.sent_at IS NOT NULL THEN 'sent'
      ELSE 'pending' END AS state,
    o.is_payable, o.reference, o.sent_at, o.paid_at, o.failed_at, o.created_at, o.updated_at
  FROM payouts o JOIN reports.programs p ON p.program_id = o.program_id;

CREATE OR REPLACE VIEW reports.payments WITH (security_barrier) AS
  SELECT i.program_id, p.program, i.id AS payment_id, i.run_id, i.payout_id, i.affiliate_id, r.method::text AS method, i.currency,
    reports.units(i.amount_cents, i.currency) AS amount, i.amount_cents,
    reports.units(i.gone_cents, i.currency) AS gone, i.gone_cents,
    i.state::text AS state, i.recipient, i.reference, i.reason, r.sent_at, i.created_at, i.updated_at,
    reports.units(i.withheld_cents, i.currency) AS withheld, i.withheld_cents
  FROM payout_run_items i JOIN reports.programs p ON p.program_id = i.program_id
    JOIN payout_runs r ON r.program_id = i.program_id AND r.id = i.run_id;

CREATE OR REPLACE VIEW reports.unattributed_sales WITH (security_barrier) AS
  SELECT u.program_id, p.program, u.id AS unattributed_sale_id, u.external_id, u.email, u.coupon, u.referral_id AS given_referral_id, u.currency,
    reports.units(u.amount_cents, u.currency) AS amount, u.amount_cents,
    -- The strongest signal that was given decides: a referral, then a coupon, then an e-mail.
    coalesce((SELECT format('%s_%s', tried ->> 'signal', tried ->> 'outcome') FROM jsonb_array_elements(u.decision -> 'signals') tried
      WHERE tried ->> 'outcome' NOT IN ('not_given', 'not_tried', 'matched') LIMIT 1), 'no_signal') AS reason,
    u.occurred_at, u.dismissed_at, u.created_at, u.updated_at, u.needs_attention
  FROM unattributed_sales u JOIN reports.programs p ON p.program_id = u.program_id;

-- A column with the same name means the same in each view.
DO $$
DECLARE
  described record;
BEGIN
  FOR described IN
    SELECT a.attrelid::regclass AS view, a.attname AS name, words.text
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      LEFT JOIN (VALUES
        ('affiliate_id', 'The id of the affiliate.'),
        ('amount', 'The amount, in units of the currency.'),
        ('amount_cents', 'The amount, in minor units of the currency.'),
        ('archived_at', 'When it was archived. Null if it is in use.'),
        ('attributed_by', 'The signal that brought the sale to its affiliate: referral_id, coupon, agent, email or manual.'),
        ('became_conversion_at', 'When the referral bought first. Null before.'),
        ('became_lead_at', 'When the referral became a lead. Null before.'),
        ('billing_interval', 'How often the sale is billed: one_off, month or year. Null if the report did not say it.'),
        ('campaign', 'The name of the campaign.'),
        ('campaign_id', 'The id of the campaign.'),
        ('commission_amount', 'What the campaign pays for a sale, in units of its currency. Null if it pays a percentage.'),
        ('commission_amount_cents', 'What the campaign pays for a sale, in minor units. Null if it pays a percentage.'),
        ('commission_currency', 'The currency of fixed amounts of the campaign.'),
        ('commission_id', 'The id of the commission.'),
        ('commission_percent', 'The percentage of a sale that the campaign pays. Null if it pays an amount.'),
        ('company', 'The company of the affiliate.'),
        ('confirmed_at', 'When the affiliate confirmed the e-mail address. Null before.'),
        ('corrects_sale_id', 'The sale that a correction is for. Null for other commissions.'),
        ('coupon', 'The code of the coupon.'),
        ('created_at', 'When the row was recorded.'),
        ('currency', 'The currency, as an ISO 4217 code in lower case.'),
        ('customer_id', 'The id of the customer. Null if the customer is not known.'),
        ('days_before_commissions_are_due', 'How many days after the sale a commission is due.'),
        ('days_before_referrals_expire', 'How many days a referral without a sale holds.'),
        ('dismissed_at', 'When a person dismissed it. Null if it waits, or was never dismissed.'),
        ('due_at', 'From when on the commission is due.'),
        ('email', 'The e-mail address.'),
        ('ended_at', 'When a person ended the referral. Null if it goes on.'),
        ('expires_at', 'When the referral expires, unless it buys before.'),
        ('external_id', 'The id that the report gave it, such as the number of an invoice.'),
        ('failed_at', 'When the payment failed. Null otherwise.'),
        ('first_name', 'The first name.'),
        ('given_referral_id', 'The referral that the report named, as it was sent.'),
        ('gone', 'The amount that left by the reports of the payment service, in units.'),
        ('gone_cents', 'The amount that left by the reports of the payment service, in minor units.'),
        ('groups', 'The names of the groups that the affiliate is in now.'),
        ('held_reason', 'Why a person has to approve the commission first. Null if nobody has to.'),
        ('is_default', 'Whether new affiliates join it unless another is named.'),
        ('is_payable', 'Whether the payout can be paid now: it reaches the minimum and is in no open run.'),
        ('is_private', 'Whether affiliates cannot see it before they are in it.'),
        ('is_sandbox', 'Whether the program is for tests.'),
        ('kind', 'sale, bonus, correction or lead.'),
        ('language', 'The language of the affiliate, such as de. Null if none was chosen.'),
        ('last_name', 'The last name.'),
        ('link', 'The token of the link.'),
        ('link_id', 'The id of the link.'),
        ('method', 'The payout method of the run.'),
        ('name', 'The name.'),
        ('needs_attention', 'Whether something points to an affiliate, or a person must decide.'),
        ('net', 'The amount without refunds, in units of the currency.'),
        ('net_cents', 'The amount without refunds, in minor units.'),
        ('no_commission_reason', 'Why the sale earned nothing. Null if it earned a commission.'),
        ('occurred_at', 'When it occurred. A report can come later.'),
        ('paid_at', 'When it was paid. Null if it is not.'),
        ('payment_id', 'The id of the payment: an item of a payout run.'),
        ('payment_number', 'The number of the payment in its subscription, as the billing system counts. Null if not reported.'),
        ('payout_id', 'The id of the payout. Null if the commission is in none.'),
        ('payout_method', 'The payout method that the affiliate chose. Null: that of the program.'),
        ('program', 'The slug of the program.'),
        ('program_id', 'The id of the program.'),
        ('reason', 'The reason. Of a commission and a payment in words, of an unattributed sale as a code.'),
        ('recipient', 'The address that the payment went to.'),
        ('reference', 'The reference of the payment. Null if none is known.'),
        ('referral_id', 'The id of the referral.'),
        ('referrer', 'The page that the visitor came from. Null if the browser did not say.'),
        ('refund_id', 'The id of the refund.'),
        ('refunded', 'The part of the sale that was refunded, in units of the currency.'),
        ('refunded_cents', 'The part of the sale that was refunded, in minor units.'),
        ('reversal_reason', 'Why the refund was reversed. Null if it holds.'),
        ('reversed_at', 'When the refund was reversed. Null if it holds.'),
        ('reward_type', 'percent or amount.'),
        ('rule', 'The name of the commission rule. Null for the reward of the campaign.'),
        ('rule_amount', 'The fixed amount of the rule, in units. Null for a percentage.'),
        ('rule_amount_cents', 'The fixed amount of the rule, in minor units. Null for a percentage.'),
        ('rule_id', 'The id of the commission rule. Null for the reward of the campaign.'),
        ('rule_percent', 'The percentage of the rule. Null for an amount.'),
        ('rules_version', 'The version of the rules of the campaign. Null or 0 if it had only its own reward.'),
        ('run_id', 'The id of the payout run.'),
        ('sale_id', 'The id of the sale. Null for a commission that no sale earned.'),
        ('sent_at', 'When the payment was sent. Null before.'),
        ('source', 'Where it comes from: link, coupon or agent; sales also email or by_hand; referrals also other.'),
        ('state', 'The state, as of now.'),
        ('sub', 'The sub-id of the visit. Null if it had none.'),
        ('time_zone', 'The time zone of the program, whose months and years its rules count in.'),
        ('unattributed_sale_id', 'The id of the unattributed sale.'),
        ('updated_at', 'When the row was last changed.'),
        ('url', 'The address: of the website, or of the page that was visited.'),
        ('visit_id', 'The id of the visit.'),
        ('visited_at', 'When the visit was.'),
        ('voided_at', 'When the commission was voided. Null if it is not.'),
        ('withheld', 'What is withheld as tax beside the amount, in units.'),
        ('withheld_cents', 'What is withheld as tax beside the amount, in minor units.')
      ) AS words (name, text) ON words.name = a.attname
    WHERE c.relnamespace = 'reports'::regnamespace AND c.relkind = 'v' AND a.attnum > 0
  LOOP
    EXECUTE format('COMMENT ON COLUMN %s.%I IS %L', described.view, described.name, described.text);
  END LOOP;
END
$$;

COMMENT ON VIEW reports.programs IS 'A program: what its affiliates, sales and payouts belong to.';
COMMENT ON VIEW reports.campaigns IS 'A campaign of a program: what its affiliates earn.';
COMMENT ON VIEW reports.affiliates IS 'An affiliate.';
COMMENT ON VIEW reports.customers IS 'A customer that a report named by an e-mail address.';
COMMENT ON VIEW reports.visits IS 'A visit by a link. Old visits are deleted.';
COMMENT ON VIEW reports.referrals IS 'A visitor, lead or customer that an affiliate brought.';
COMMENT ON VIEW reports.sales IS 'A sale that is attributed to an affiliate.';
COMMENT ON VIEW reports.refunds IS 'A refund of a sale, or a part of one.';
COMMENT ON VIEW reports.commissions IS 'What an affiliate earned, or owes after a refund of a paid sale: such a commission is below 0.';
COMMENT ON VIEW reports.payouts IS 'What is paid to an affiliate at once, in one currency.';
COMMENT ON VIEW reports.payments IS 'A payment of a payout run, with what the payment service did.';
COMMENT ON VIEW reports.unattributed_sales IS 'A sale without an affiliate. Such sales are kept for 90 days.';

-- Gives each role that was let in the rights to read the views: after the first grant, and after a version that adds a view.
CREATE OR REPLACE FUNCTION reports.grant_rights() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  reader record;
BEGIN
  FOR reader IN SELECT DISTINCT r.rolname AS name FROM report_grants g JOIN pg_roles r ON r.rolname = g.role LOOP
    EXECUTE format('GRANT USAGE ON SCHEMA reports TO %I', reader.name);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA reports TO %I', reader.name);
  END LOOP;
END
$$;

-- A role without a program reads no view.
CREATE OR REPLACE FUNCTION reports.take_rights(reader text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles r WHERE r.rolname = "reader") AND NOT EXISTS (SELECT FROM report_grants g WHERE g.role = "reader") THEN
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA reports FROM %I', "reader");
    EXECUTE format('REVOKE ALL ON SCHEMA reports FROM %I', "reader");
  END IF;
END
$$;

SELECT reports.grant_rights();
