-- Row-level security of PostgreSQL, as a second net under the conditions of queries: see src/database/row-security.ts, which calls
-- this at each start. The role of programs sees and writes the rows of the one program in the setting tributary.program.
-- Everybody else, such as the owner, sees what it did before. Without the setting, the role gets an error.
--
-- It can be called again, and changes only what is missing: after a migration that adds tables or partitions, and in a
-- database that was restored without the role. Returns how many tables it has changed.
CREATE FUNCTION "protect_tenant_tables"("program_role" name) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  place CONSTANT regnamespace := current_schema()::text::regnamespace;
  shared record;
  tenant record;
  policy record;
  changed integer := 0;
  is_new boolean;
BEGIN
  FOR tenant IN
    SELECT c.oid, c.oid::regclass AS name, c.relrowsecurity AND c.relforcerowsecurity AS is_forced, pg_get_userbyid(c.relowner) AS owner,
      CASE c.relname
        WHEN 'programs' THEN 'id = (SELECT current_setting(''tributary.program'')::uuid)'
        WHEN 'idempotency_keys' THEN 'scope = (SELECT current_setting(''tributary.program''))'
        ELSE 'program_id = (SELECT current_setting(''tributary.program'')::uuid)'
      END AS condition
    FROM pg_class c
    WHERE c.relnamespace = place AND c.relkind IN ('r', 'p') AND (c.relname IN ('programs', 'idempotency_keys')
      OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'program_id' AND NOT a.attisdropped))
    ORDER BY c.oid
  LOOP
    is_new := NOT tenant.is_forced;
    FOR policy IN
      SELECT wanted.name, wanted.role, wanted.condition
      FROM (VALUES
        ('of_program', "program_role", tenant.condition),
        -- Named without its role, so that a dump can be restored by another one.
        ('of_installation', name 'pg_database_owner', 'true'),
        ('of_owner', tenant.owner, 'true')
      ) AS wanted (name, role, condition)
      WHERE (wanted.name <> 'of_owner' OR NOT pg_has_role(tenant.owner, 'pg_database_owner', 'USAGE'))
        AND NOT EXISTS (
          SELECT FROM pg_policy p JOIN pg_roles r ON r.oid = ANY (p.polroles)
          WHERE p.polrelid = tenant.oid AND p.polname = wanted.name AND r.rolname = wanted.role)
    LOOP
      EXECUTE format('DROP POLICY IF EXISTS %I ON %s', policy.name, tenant.name);
      EXECUTE format('CREATE POLICY %I ON %s TO %I USING (%s) WITH CHECK (%s)',
        policy.name, tenant.name, policy.role, policy.condition, policy.condition);
      is_new := true;
    END LOOP;
    IF NOT tenant.is_forced THEN
      EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', tenant.name);
    END IF;
    IF NOT (has_table_privilege("program_role", tenant.oid, 'SELECT') AND has_table_privilege("program_role", tenant.oid, 'INSERT')
        AND has_table_privilege("program_role", tenant.oid, 'UPDATE') AND has_table_privilege("program_role", tenant.oid, 'DELETE')) THEN
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', tenant.name, "program_role");
      is_new := true;
    END IF;
    IF is_new THEN
      changed := changed + 1;
    END IF;
  END LOOP;
  -- What the triggers and verbs of programs need besides: numbers.
  FOR shared IN
    SELECT oid::regclass AS name FROM pg_class
    -- In an order that PostgreSQL keeps: the function fails for what is no sequence.
    WHERE relnamespace = place AND CASE WHEN relkind = 'S' THEN NOT has_sequence_privilege("program_role", oid, 'USAGE') END
  LOOP
    EXECUTE format('GRANT USAGE ON SEQUENCE %s TO %I', shared.name, "program_role");
  END LOOP;
  IF NOT has_schema_privilege("program_role", place::oid, 'USAGE') THEN
    EXECUTE format('GRANT USAGE ON SCHEMA %s TO %I', place, "program_role");
  END IF;
  RETURN changed;
END
$$;

-- Runs as the owner: PostgreSQL compares an enum after a policy, so that the role of programs would read every row of the
-- rollups. For the same reason it refuses another program than the one of the transaction.
CREATE OR REPLACE FUNCTION "event_campaign_counts"("program" uuid, "campaign" uuid) RETURNS jsonb LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF nullif(current_setting('tributary.program', true), '') <> "program"::text THEN
    RAISE insufficient_privilege USING MESSAGE = 'the transaction is of another program';
  END IF;
  RETURN (
    SELECT jsonb_build_object('visitors', coalesce(sum(count) FILTER (WHERE kind = 'visitor'), 0),
      'leads', coalesce(sum(count) FILTER (WHERE kind = 'lead'), 0),
      'conversions', coalesce(sum(count) FILTER (WHERE kind = 'conversion'), 0),
      'affiliates', (SELECT count(*) FROM affiliates WHERE program_id = "program" AND campaign_id = "campaign"))
    FROM (
      SELECT kind, count FROM analytics_by_campaign
      WHERE program_id = "program" AND kind IN ('visitor', 'lead', 'conversion') AND grain = 'month' AND campaign_id = "campaign"
      UNION ALL
      SELECT kind, count FROM analytics_deltas
      WHERE program_id = "program" AND kind IN ('visitor', 'lead', 'conversion') AND campaign_id = "campaign"
    ) counted);
END
$$;

-- Runs as the owner too: the policies of ten tables would be checked for each state that is frozen. It writes for one program only.
-- It has no search_path of its own, which PostgreSQL would look up at each call: the role of programs cannot log in, and runs only
-- statements of the service.
DO $generate$
DECLARE
  before text := pg_get_functiondef('record_events(jsonb)'::regprocedure);
  after text := regexp_replace(before, E'\nBEGIN\n', $body$
BEGIN
  IF nullif(current_setting('tributary.program', true), '') <> program::text THEN
    RAISE insufficient_privilege USING MESSAGE = 'the transaction is of another program';
  END IF;
$body$);
BEGIN
  IF before = after THEN RAISE EXCEPTION 'record_events has another form'; END IF;
  EXECUTE after;
END
$generate$;
ALTER FUNCTION "record_events"(jsonb) SECURITY DEFINER;

-- Triggers that count run as the owner as well. The rows they count have passed the policies of their tables.
DO $generate$
DECLARE
  found record;
BEGIN
  FOR found IN
    SELECT oid::regprocedure AS name FROM pg_proc
    WHERE pronamespace = current_schema()::text::regnamespace AND prorettype = 'trigger'::regtype
      AND (proname LIKE 'analytics\_record\_%' OR proname LIKE 'list\_counts\_record\_%')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER', found.name);
  END LOOP;
END
$generate$;
