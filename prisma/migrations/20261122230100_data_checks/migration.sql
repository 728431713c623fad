-- CreateTable
CREATE TABLE "data_checks" (
    "program_id" UUID NOT NULL,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL,
    "checked_at" TIMESTAMPTZ(3),
    "checked" INTEGER NOT NULL,
    "unchecked" INTEGER NOT NULL,
    "findings" JSONB NOT NULL,

    CONSTRAINT "data_checks_pkey" PRIMARY KEY ("program_id")
);

-- AddForeignKey
ALTER TABLE "data_checks" ADD CONSTRAINT "data_checks_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
