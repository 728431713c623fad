-- The history has everything that a person does in a program: also keys, people, webhook endpoints and settings.
ALTER TYPE "change_subject" ADD VALUE 'program';
ALTER TYPE "change_subject" ADD VALUE 'api_key';
ALTER TYPE "change_subject" ADD VALUE 'member';
ALTER TYPE "change_subject" ADD VALUE 'invitation';
ALTER TYPE "change_subject" ADD VALUE 'webhook_endpoint';
ALTER TYPE "change_subject" ADD VALUE 'import';
ALTER TYPE "change_subject" ADD VALUE 'unattributed_sale';

-- What belongs to no program, or outlives it.
CREATE TABLE "installation_changes" (
    "id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "subject_id" UUID,
    "subject_name" TEXT,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" UUID,
    "request_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "installation_changes_pkey" PRIMARY KEY ("id")
);

CREATE FUNCTION "installation_changes_are_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'installation_changes are history: they cannot be changed or removed';
END
$$;
CREATE TRIGGER "installation_changes_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "installation_changes"
  FOR EACH STATEMENT EXECUTE FUNCTION "installation_changes_are_append_only"();

-- Clients write most of the history. What people did is found without reading that.
CREATE INDEX "changes_of_people" ON "changes"("program_id", "id", "actor_id") WHERE ("actor_kind" = 'person');

CREATE INDEX "money_events_of_people" ON "money_events"("program_id", "id", "actor_id") WHERE ("actor_kind" = 'person');
