-- When facts are booked in months. A month is a time span of a program; closing it makes a row of statement_months, which says until
-- when. What is recorded afterwards is booked in the next month, whatever its time says.
--
-- There is no race: who records a fact holds the row of the program as foreign keys do (FOR KEY SHARE) until its commit, and
-- closing a month waits for the row (FOR UPDATE). A fact is either committed before the month is closed, or sees that it is.

-- Until when months of the program are closed. Null: none is. It runs for each sale, so it is in PL/pgSQL, which keeps plans: PostgreSQL
-- plans a function in SQL that it cannot inline anew in each statement.
CREATE OR REPLACE FUNCTION months_closed_until(program uuid) RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN (SELECT until_at FROM statement_months m WHERE m.program_id = "program" ORDER BY until_at DESC LIMIT 1);
END
$$;

CREATE OR REPLACE FUNCTION statements_note_late_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO late_facts (program_id, kind, fact_id, booked_at)
  SELECT f.program_id, 'money', f.id, closed.until_at
  FROM new_rows f CROSS JOIN LATERAL (SELECT months_closed_until(f.program_id) AS until_at) closed
  WHERE f.at < closed.until_at;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION statements_note_late_sales() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO late_facts (program_id, kind, fact_id, booked_at)
  SELECT f.program_id, 'sale', f.id, closed.until_at
  FROM new_rows f CROSS JOIN LATERAL (SELECT months_closed_until(f.program_id) AS until_at) closed
  WHERE f.created_at < closed.until_at;
  RETURN NULL;
END
$$;

-- Statements say by what a commission was calculated, and whose it was, at the end of their month. So what is replaced is kept.
CREATE OR REPLACE FUNCTION statements_keep_commission() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO former_earnings (program_id, kind, row_id, affiliate_id, booked_at, state)
  VALUES (OLD.program_id, 'commission', OLD.id, OLD.affiliate_id,
    greatest(NEW.updated_at, coalesce(months_closed_until(OLD.program_id), NEW.updated_at)),
    jsonb_build_object('affiliate_id', OLD.affiliate_id, 'campaign_id', OLD.campaign_id, 'rule_id', OLD.rule_id,
      'rule_reward_type', OLD.rule_reward_type, 'rule_basis_points', OLD.rule_basis_points,
      'rule_amount_cents', OLD.rule_amount_cents::text, 'rule_lines', OLD.rule_lines));
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION statements_keep_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO former_earnings (program_id, kind, row_id, affiliate_id, booked_at, state)
  VALUES (OLD.program_id, 'sale', OLD.id, OLD.affiliate_id,
    greatest(NEW.updated_at, coalesce(months_closed_until(OLD.program_id), NEW.updated_at)),
    jsonb_build_object('affiliate_id', OLD.affiliate_id, 'campaign_id', OLD.campaign_id, 'amount_cents', OLD.amount_cents::text,
      'occurred_at', OLD.occurred_at, 'rule', OLD.decision -> 'rule', 'no_commission_reason', OLD.no_commission_reason));
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION statements_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN OLD; END IF;
  -- What is imported was read from a file whose chain the doctor checks.
  IF current_setting('tributary.imports_program', true) = 'on' THEN RETURN coalesce(NEW, OLD); END IF;
  RAISE EXCEPTION 'statements of a closed month cannot be changed or removed';
END
$$;
