-- CreateTable
CREATE TABLE "report_grants" (
    "program_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_grants_pkey" PRIMARY KEY ("program_id","role")
);

-- AddForeignKey
ALTER TABLE "report_grants" ADD CONSTRAINT "report_grants_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
