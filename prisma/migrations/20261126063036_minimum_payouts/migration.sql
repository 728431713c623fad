-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "minimum_payouts" JSONB NOT NULL DEFAULT '{}';

ALTER TABLE "campaigns"
  ADD CONSTRAINT "campaigns_minimum_payouts_are_amounts" CHECK (jsonb_typeof("minimum_payouts") = 'object'
    AND NOT jsonb_path_exists("minimum_payouts", '$.keyvalue() ? (!(@.key like_regex "^[a-z]{3}$"))')
    AND NOT jsonb_path_exists("minimum_payouts", '$.* ? (@.type() != "string" || !(@ like_regex "^[0-9]{1,16}$"))'));

-- Nothing is searched by what is in them.
ALTER TABLE "campaigns" ALTER COLUMN "minimum_payouts" SET STATISTICS 0;
