-- Written by hand

-- What happens is told to whoever listens on the channel "tributary", once it is committed: what kind, whose, and ids
-- alone (at most 100 in a message, which the server limits to 8000 bytes). Nobody has to listen.

CREATE FUNCTION "tell_sales"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tributary', concat_ws(' ', 'sale', program_id, affiliate_id, string_agg(id::text, ',')))
  FROM (
    SELECT program_id, affiliate_id, id, row_number() OVER (PARTITION BY program_id, affiliate_id ORDER BY id) / 100 AS part
    FROM added
  ) numbered
  GROUP BY program_id, affiliate_id, part;
  RETURN NULL;
END
$$;
CREATE TRIGGER "sales_told" AFTER INSERT ON "sales" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "tell_sales"();

-- Whatever happens to a commission is a fact.
CREATE FUNCTION "tell_commissions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tributary', concat_ws(' ', 'commission', program_id, affiliate_id, string_agg(id::text, ',')))
  FROM (
    SELECT program_id, affiliate_id, id, row_number() OVER (PARTITION BY program_id, affiliate_id ORDER BY id) / 100 AS part
    FROM commissions
    WHERE (program_id, id) IN (SELECT program_id, commission_id FROM added)
  ) numbered
  GROUP BY program_id, affiliate_id, part;
  RETURN NULL;
END
$$;
CREATE TRIGGER "money_events_told" AFTER INSERT ON "money_events" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "tell_commissions"();

CREATE FUNCTION "tell_payout"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tributary', concat_ws(' ', 'payout', NEW.program_id, NEW.affiliate_id, NEW.id));
  RETURN NULL;
END
$$;
CREATE TRIGGER "payouts_told" AFTER UPDATE ON "payouts" FOR EACH ROW
  WHEN (OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL) EXECUTE FUNCTION "tell_payout"();
