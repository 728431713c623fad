-- The payout e-mails are called by their services, outside the contract of REST.
ALTER TABLE "affiliates" RENAME COLUMN "wallet_a_email" TO "paypal_email";
ALTER TABLE "affiliates" RENAME COLUMN "wallet_b_email" TO "wise_email";
ALTER TYPE "frozen_affiliate" RENAME ATTRIBUTE "wallet_a_email" TO "paypal_email";
ALTER TYPE "frozen_affiliate" RENAME ATTRIBUTE "wallet_b_email" TO "wise_email";

-- Stored JSON has the names as keys. Within a text, the quotes of a key are escaped, so no text is changed. The history is append-only,
-- and closed programs are renamed too.
SELECT set_config('tributary.erases_person', 'on', true), set_config('tributary.imports_program', 'on', true);

UPDATE "event_states" SET "state" =
  replace(replace("state"::text, '"wallet_a_email": ', '"paypal_email": '), '"wallet_b_email": ', '"wise_email": ')::jsonb
WHERE "state"::text LIKE '%"wallet\__\_email": %';

UPDATE "changes" SET "fields" =
  replace(replace("fields"::text, '"walletAEmail": ', '"paypalEmail": '), '"walletBEmail": ', '"wiseEmail": ')::jsonb
WHERE "fields"::text LIKE '%"wallet_Email": %';

UPDATE "imported_records" SET "seen" =
  replace(replace("seen"::text, '"walletAEmail": ', '"paypalEmail": '), '"walletBEmail": ', '"wiseEmail": ')::jsonb
WHERE "seen"::text LIKE '%"wallet_Email": %';

SELECT set_config('tributary.erases_person', '', true), set_config('tributary.imports_program', '', true);
