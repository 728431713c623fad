-- What keeps programs apart, and closed programs closed.

-- Rejects a write to a closed program. It locks the row of the program as foreign keys to it do, so that closing the
-- program can wait for the transactions that have passed this check: those that come later see that it is closed. So the
-- state holds for all instances at once, and needs no cache to be cleared. Services answer with UNAVAILABLE.
CREATE OR REPLACE FUNCTION require_open_program(program uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('tributary.deletes_program', true) = 'on' OR current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN;
  END IF;
  PERFORM FROM programs WHERE id = "program" AND closed_at IS NULL FOR KEY SHARE;
  IF FOUND THEN
    RETURN;
  END IF;
  -- A program that does not exist is reported by foreign keys.
  IF EXISTS (SELECT FROM programs WHERE id = "program") THEN
    RAISE EXCEPTION 'the program is closed to writes' USING ERRCODE = 'TP503';
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION program_must_be_open() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_open_program(NEW.program_id);
  RETURN NEW;
END
$$;

-- Row-level security of PostgreSQL, as a second net under the conditions of queries: see src/database/client/row-security.ts, which calls
-- this at each start. The role of programs sees and writes the rows of the one program in the setting tributary.program.
-- Everybody else, such as the owner, sees what it did before. Without the setting, the role gets an error.
--
-- It can be called again, and changes only what is missing: after a migration that adds tables or partitions, and in a
-- database that was restored without the role. Partitions are reached through their table, whose policies hold then. The role of
-- programs has no rights to them of its own. Returns how many tables it has changed.
CREATE OR REPLACE FUNCTION protect_tenant_tables(program_role name) RETURNS integer LANGUAGE plpgsql AS $$
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
    WHERE c.relnamespace = place AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND (c.relname IN ('programs', 'idempotency_keys')
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
