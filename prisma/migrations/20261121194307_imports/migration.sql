-- CreateEnum
CREATE TYPE "import_kind" AS ENUM ('campaign', 'affiliate', 'affiliate_link', 'affiliate_coupon', 'referral', 'payout', 'commission', 'sale', 'payout_line');

-- CreateTable
CREATE TABLE "imports" (
    "program_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "progress" JSONB NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "imports_pkey" PRIMARY KEY ("program_id","source")
);

-- CreateTable
CREATE TABLE "imported_records" (
    "program_id" UUID NOT NULL,
    "kind" "import_kind" NOT NULL,
    "external_id" TEXT NOT NULL,
    "id" UUID,
    "seen" JSONB NOT NULL,
    "is_left_out" BOOLEAN NOT NULL DEFAULT false,
    "note" TEXT,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "imported_records_pkey" PRIMARY KEY ("program_id","kind","external_id")
);

-- CreateIndex
CREATE INDEX "imports_source_idx" ON "imports"("source");

-- CreateIndex
CREATE INDEX "imported_records_program_id_id_idx" ON "imported_records"("program_id", "id");

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "imported_records" ADD CONSTRAINT "imported_records_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
