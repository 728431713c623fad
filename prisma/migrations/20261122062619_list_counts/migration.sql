-- CreateEnum
CREATE TYPE "listed_table" AS ENUM ('affiliates', 'affiliate_coupons', 'affiliate_links', 'campaigns', 'commissions', 'customers', 'payouts', 'referrals', 'refunds', 'sales', 'unattributed_sales');

-- CreateTable
CREATE TABLE "list_counts" (
  "program_id" UUID NOT NULL,
  "list" "listed_table" NOT NULL,
  "first_id" UUID NOT NULL,
  "state" TEXT NOT NULL,
  "count" BIGINT NOT NULL,

  CONSTRAINT "list_counts_pkey" PRIMARY KEY ("program_id","list","first_id","state")
);

-- CreateTable
CREATE TABLE "list_deltas" (
  "program_id" UUID NOT NULL,
  "list" "listed_table" NOT NULL,
  "id" BIGSERIAL NOT NULL,
  "row_id" UUID NOT NULL,
  "state" TEXT NOT NULL,
  "count" INTEGER NOT NULL,

  CONSTRAINT "list_deltas_pkey" PRIMARY KEY ("program_id","list","id")
);

-- CreateIndex
CREATE INDEX "commissions_held" ON "commissions"("program_id") WHERE ("held_reason" IS NOT NULL AND "paid_at" IS NULL AND "voided_at" IS NULL);

-- CreateIndex
CREATE INDEX "analytics_by_source_program_id_affiliate_id_grain_kind_idx" ON "analytics_by_source"("program_id", "affiliate_id", "grain", "kind");

-- AddForeignKey
ALTER TABLE "list_counts" ADD CONSTRAINT "list_counts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "list_deltas" ADD CONSTRAINT "list_deltas_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Defines which rows each list has, and the state that tells them apart. The view and the triggers are generated from the
-- same text, with r for a row.
DO $generate$
DECLARE
  is_archived text := 'CASE WHEN r.archived_at IS NULL THEN '''' ELSE ''archived'' END';
  states jsonb := jsonb_build_object(
  'affiliates', 'r.state::text',
  'affiliate_coupons', is_archived,
  'affiliate_links', is_archived,
  'campaigns', is_archived,
  'commissions', '''''::text',
  'customers', '''''::text',
  'payouts', 'CASE WHEN r.paid_at IS NULL THEN ''pending'' ELSE ''paid'' END',
  'referrals', '''''::text',
  'refunds', '''''::text',
  'sales', '''''::text',
  'unattributed_sales', '''''::text');
  -- Counters of affiliates and links change with every visit and sale, so the condition is checked before the function is
  -- called.
  record_moves text := 'CREATE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $record$
BEGIN
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  VALUES (OLD.program_id, %2$L, OLD.id, %3$s, -1), (NEW.program_id, %2$L, NEW.id, %4$s, 1);
  RETURN NULL;
END $record$';
  record_rows text := 'CREATE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $record$
BEGIN
  -- The deletion of a program removes its counts too.
  IF TG_OP = ''DELETE'' AND current_setting(''tributary.deletes_program'', true) = ''on'' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, %2$L, r.id, %3$s, %4$s FROM changed_rows r;
  RETURN NULL;
END $record$';
  name text;
  state text;
BEGIN
  EXECUTE 'CREATE VIEW listed_rows AS ' || (
  SELECT string_agg(format('SELECT r.program_id, %L::listed_table AS list, r.id, %s AS state FROM %I r', key, value, key), ' UNION ALL ' ORDER BY key)
  FROM jsonb_each_text(states));
  FOR name, state IN SELECT key, value FROM jsonb_each_text(states) LOOP
  EXECUTE format(record_rows, 'list_counts_record_inserted_' || name, name, state, '1');
  EXECUTE format(record_rows, 'list_counts_record_deleted_' || name, name, state, '-1');
  EXECUTE format('CREATE TRIGGER list_counts_inserted AFTER INSERT ON %I REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION %I()',
    name, 'list_counts_record_inserted_' || name);
  EXECUTE format('CREATE TRIGGER list_counts_deleted AFTER DELETE ON %I REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION %I()',
    name, 'list_counts_record_deleted_' || name);
  CONTINUE WHEN state = '''''::text';
  EXECUTE format(record_moves, 'list_counts_record_moved_' || name, name, replace(state, 'r.', 'OLD.'), replace(state, 'r.', 'NEW.'));
  EXECUTE format('CREATE TRIGGER list_counts_moved AFTER UPDATE ON %I FOR EACH ROW WHEN (%s <> %s) EXECUTE FUNCTION %I()',
    name, replace(state, 'r.', 'OLD.'), replace(state, 'r.', 'NEW.'), 'list_counts_record_moved_' || name);
  END LOOP;
END
$generate$;

-- Rebuilds the counts from the rows, in ranges of 2000. No other transaction may write at the same time.
CREATE FUNCTION "list_counts_rebuild"() RETURNS void LANGUAGE sql SET work_mem = '64MB' AS $$
  DELETE FROM list_deltas;
  DELETE FROM list_counts;
  INSERT INTO list_counts (program_id, list, first_id, state, count)
  SELECT program_id, list, first_id, state, count(*)
  FROM (
  SELECT program_id, list, state, CASE
    WHEN part = 0 THEN '00000000-0000-0000-0000-000000000000'
    ELSE first_value(id) OVER (PARTITION BY program_id, list, part ORDER BY id)
  END AS first_id
  FROM (SELECT *, (row_number() OVER (PARTITION BY program_id, list ORDER BY id) - 1) / 2000 AS part FROM listed_rows) numbered
  ) ranged
  GROUP BY program_id, list, first_id, state;
$$;

SELECT "list_counts_rebuild"();
