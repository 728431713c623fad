-- The sum of amounts can be larger than the largest amount.
ALTER TABLE "affiliate_measures"
  DROP CONSTRAINT "affiliate_measures_revenue_cents_is_exact",
  DROP CONSTRAINT "affiliate_measures_commissions_cents_is_exact";
ALTER TABLE "affiliate_measure_deltas"
  DROP CONSTRAINT "affiliate_measure_deltas_revenue_cents_is_exact",
  DROP CONSTRAINT "affiliate_measure_deltas_commissions_cents_is_exact";
