import { expect, it } from 'vitest'
import { effectsOf } from '../../src/database/migrations/effects.ts'

it.each([
  ['ALTER TABLE "sales" ADD COLUMN "note" TEXT;', [{ table: 'sales', does: 'locks' }]],
  ['ALTER TABLE "sales" ADD COLUMN "n" INT NOT NULL DEFAULT 0;', [{ table: 'sales', does: 'locks' }]],
  ['ALTER TABLE "sales" ALTER COLUMN "n" SET DATA TYPE BIGINT;', [{ table: 'sales', does: 'rewrites' }]],
  ['ALTER TABLE "sales" ADD COLUMN "k" UUID DEFAULT gen_random_uuid();', [{ table: 'sales', does: 'rewrites' }]],
  ['ALTER TABLE "sales" ADD CONSTRAINT "c" CHECK ("n" > 0);', [{ table: 'sales', does: 'reads all rows' }]],
  ['ALTER TABLE "sales" ADD CONSTRAINT "c" CHECK ("n" > 0) NOT VALID;', [{ table: 'sales', does: 'locks' }]],
  ['ALTER TABLE "sales" ALTER COLUMN "n" SET NOT NULL;', [{ table: 'sales', does: 'reads all rows' }]],
  ['CREATE UNIQUE INDEX "i" ON "sales"("n");', [{ table: 'sales', does: 'blocks writes' }]],
  ['-- A comment; with UPDATE\nUPDATE sales SET n = 1;', [{ table: 'sales', does: 'changes rows' }]],
  [
    "WITH x AS (SELECT 'a;b') UPDATE sales s SET n = 1 FROM x; UPDATE sales SET n = 2;",
    [{ table: 'sales', does: 'changes rows' }],
  ],
  ['INSERT INTO "sums" SELECT 1 FROM sales;', [{ table: 'sums', does: 'changes rows' }]],
  [
    'CREATE TABLE "new" ("n" INT); CREATE INDEX "i" ON "new"("n"); ALTER TABLE "new" ADD CONSTRAINT "c" CHECK (true);',
    [],
  ],
  ['CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE sales SET n = 1; $$;', []],
])('%s', (script, effects) => expect(effectsOf(script)).toEqual(effects))
