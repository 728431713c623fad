-- AlterTable
ALTER TABLE "commissions" ADD COLUMN     "rule_lines" JSONB;

-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "items" JSONB;

-- AlterTable
ALTER TABLE "sales" ADD COLUMN     "items" JSONB;

-- AlterTable
ALTER TABLE "unattributed_sales" ADD COLUMN     "items" JSONB;

-- AlterTable
ALTER TABLE "waiting_refunds" ADD COLUMN     "items" JSONB;

-- Lines are a list that is not empty. A commission with lines has the reward of the rest of the sale beside them.
ALTER TABLE "commissions"
  ADD CONSTRAINT "commissions_rule_lines_is_list" CHECK (CASE WHEN jsonb_typeof("rule_lines") = 'array' THEN jsonb_array_length("rule_lines") > 0 ELSE "rule_lines" IS NULL END);
ALTER TABLE "sales"
  ADD CONSTRAINT "sales_items_is_list" CHECK (CASE WHEN jsonb_typeof("items") = 'array' THEN jsonb_array_length("items") > 0 ELSE "items" IS NULL END);

-- Nothing searches in them, and statistics of JSON are large.
ALTER TABLE "sales" ALTER COLUMN "items" SET STATISTICS 0;
ALTER TABLE "refunds" ALTER COLUMN "items" SET STATISTICS 0;
ALTER TABLE "unattributed_sales" ALTER COLUMN "items" SET STATISTICS 0;
ALTER TABLE "waiting_refunds" ALTER COLUMN "items" SET STATISTICS 0;
ALTER TABLE "commissions" ALTER COLUMN "rule_lines" SET STATISTICS 0;
