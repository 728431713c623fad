-- AlterTable
ALTER TABLE "affiliates" ADD COLUMN     "commissions_cents" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "due_cents" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "paid_cents" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "revenue_cents" BIGINT NOT NULL DEFAULT 0;

ALTER TABLE "affiliates"
  ADD CONSTRAINT "affiliates_revenue_cents_is_exact" CHECK ("revenue_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "affiliates_commissions_cents_is_exact" CHECK ("commissions_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "affiliates_due_cents_is_exact" CHECK ("due_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "affiliates_paid_cents_is_exact" CHECK ("paid_cents" BETWEEN -9007199254740991 AND 9007199254740991);

-- CreateIndex
CREATE INDEX "affiliates_program_id_revenue_cents_id_idx" ON "affiliates"("program_id", "revenue_cents", "id");

-- CreateIndex
CREATE INDEX "affiliates_program_id_commissions_cents_id_idx" ON "affiliates"("program_id", "commissions_cents", "id");

-- CreateIndex
CREATE INDEX "affiliates_program_id_due_cents_id_idx" ON "affiliates"("program_id", "due_cents", "id");

-- CreateIndex
CREATE INDEX "affiliates_program_id_paid_cents_id_idx" ON "affiliates"("program_id", "paid_cents", "id");

-- Rollups have the sums. Deltas that are not folded yet are added when they are.
UPDATE affiliates a SET revenue_cents = kept.revenue, commissions_cents = kept.commissions, paid_cents = kept.paid
FROM (
  SELECT s.program_id, s.affiliate_id, least(coalesce(sum(s.amount) FILTER (WHERE s.kind = 'sale'), 0), 9007199254740991)::bigint AS revenue,
    greatest(least(coalesce(sum(s.amount) FILTER (WHERE s.kind = 'accrued'), 0), 9007199254740991), -9007199254740991)::bigint AS commissions,
    greatest(least(coalesce(sum(s.amount) FILTER (WHERE s.kind = 'paid'), 0), 9007199254740991), -9007199254740991)::bigint AS paid
  FROM analytics_by_source s JOIN programs p ON p.id = s.program_id AND p.currency = s.currency
  WHERE s.grain = 'year' AND s.kind IN ('sale', 'accrued', 'paid') GROUP BY s.program_id, s.affiliate_id
) kept
WHERE a.program_id = kept.program_id AND a.id = kept.affiliate_id;

UPDATE affiliates a SET due_cents = o.amount_cents
FROM payouts o JOIN programs p ON p.id = o.program_id AND p.currency = o.currency
WHERE o.program_id = a.program_id AND o.affiliate_id = a.id AND o.paid_at IS NULL AND o.failed_at IS NULL;
