-- DropIndex
DROP INDEX "payout_run_items_one_open_per_payout";

-- DropIndex
DROP INDEX "payout_run_items_open";

-- CreateIndex
CREATE INDEX "payout_run_items_open" ON "payout_run_items"("program_id", "affiliate_id", "currency") WHERE (state = ANY (ARRAY['prepared'::payout_item_state, 'sent'::payout_item_state, 'unclaimed'::payout_item_state])) AND (NOT is_extra);

-- CreateIndex
CREATE UNIQUE INDEX "payout_run_items_one_open_per_payout" ON "payout_run_items"("program_id", "payout_id") WHERE (state = ANY (ARRAY['prepared'::payout_item_state, 'sent'::payout_item_state, 'unclaimed'::payout_item_state])) AND (NOT is_extra);
