-- A commission rule that allows it pays more than the sale: up to 1,000 percent.
ALTER TABLE "commissions" DROP CONSTRAINT "commissions_rule_basis_points_in_range";
ALTER TABLE "commissions"
  ADD CONSTRAINT "commissions_rule_basis_points_in_range" CHECK ("rule_basis_points" BETWEEN 0 AND 100000) NOT VALID;
ALTER TABLE "commissions" VALIDATE CONSTRAINT "commissions_rule_basis_points_in_range";
