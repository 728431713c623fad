-- AlterTable
ALTER TABLE "payouts" ADD COLUMN     "is_payable" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "payouts_payable" ON "payouts"("program_id", "amount_cents", "id") WHERE ("is_payable" = true);

UPDATE payouts o SET is_payable = true
FROM affiliates a JOIN campaigns c ON c.program_id = a.program_id AND c.id = a.campaign_id
WHERE a.program_id = o.program_id AND a.id = o.affiliate_id AND o.paid_at IS NULL AND o.failed_at IS NULL AND o.sent_at IS NULL
  AND o.amount_cents > 0 AND o.amount_cents >= c.minimum_payout_cents;
