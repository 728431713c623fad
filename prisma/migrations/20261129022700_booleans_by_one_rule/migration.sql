-- Columns are named as the fields of the schema.
ALTER TABLE "programs" RENAME COLUMN "sandbox" TO "is_sandbox";
ALTER TABLE "programs" RENAME COLUMN "payout_file_has_mark" TO "has_payout_file_mark";
ALTER TABLE "programs" RENAME COLUMN "shadow" TO "is_shadow";
ALTER TABLE "mail_choices" RENAME COLUMN "payouts" TO "gets_payout_mails";
ALTER TABLE "mail_choices" RENAME COLUMN "statements" TO "gets_statement_mails";
ALTER TABLE "mail_choices" RENAME COLUMN "terms" TO "gets_terms_mails";
ALTER TABLE "mail_choices" RENAME COLUMN "messages" TO "gets_message_mails";
ALTER TABLE "mail_choices" RENAME COLUMN "rewards" TO "gets_reward_mails";
ALTER TABLE "members" RENAME COLUMN "daily_mails" TO "gets_daily_mails";
ALTER TABLE "members" RENAME COLUMN "failure_mails" TO "gets_failure_mails";
ALTER TABLE "tax_settings" RENAME COLUMN "payouts_need_profile" TO "needs_profile_for_payouts";

-- Within a text, the quotes of a key are escaped, so no text is changed. The history is append-only, and closed programs are renamed too.
SELECT set_config('tributary.erases_person', 'on', true), set_config('tributary.imports_program', 'on', true);

-- Questions and rules of applications are stored as the schema names them.
UPDATE "join_settings" SET
  "fields" = replace("fields"::text, '"required": ', '"isRequired": ')::jsonb,
  "rules" = replace(replace(replace("rules"::text,
    '"disposable": ', '"isDisposable": '),
    '"invited": ', '"isInvited": '),
    '"invitedByAffiliate": ', '"isInvitedByAffiliate": ')::jsonb
WHERE "fields"::text LIKE '%"required": %' OR "rules"::text ~ '"(disposable|invited|invitedByAffiliate)": ';

-- The history shows fields by their present names.
UPDATE "changes" SET "fields" =
  replace(replace(replace(replace("fields"::text,
    '"shadow": ', '"isShadow": '),
    '"payoutFileHasMark": ', '"hasPayoutFileMark": '),
    '"payoutsNeedProfile": ', '"needsProfileForPayouts": '),
    '"on": ', '"isOn": ')::jsonb
WHERE "fields"::text ~ '"(shadow|payoutFileHasMark|payoutsNeedProfile|on)": ';
