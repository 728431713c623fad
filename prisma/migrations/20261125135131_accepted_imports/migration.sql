-- CreateTable
CREATE TABLE "accepted_imports" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "input" JSONB NOT NULL,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" UUID,
    "request_id" TEXT NOT NULL,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "accepted_imports_pkey" PRIMARY KEY ("program_id","id")
);

-- AddForeignKey
ALTER TABLE "accepted_imports" ADD CONSTRAINT "accepted_imports_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Nothing is searched in documents.
ALTER TABLE "accepted_imports" ALTER COLUMN "input" SET STATISTICS 0;
