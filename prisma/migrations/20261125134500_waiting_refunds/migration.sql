-- CreateTable
CREATE TABLE "waiting_refunds" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sale_external_id" TEXT NOT NULL,
    "external_id" TEXT,
    "amount_cents" BIGINT,
    "refunded_total_cents" BIGINT,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "waiting_refunds_pkey" PRIMARY KEY ("program_id","id"),
    CONSTRAINT "waiting_refunds_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 1 AND 9007199254740991),
    CONSTRAINT "waiting_refunds_refunded_total_cents_is_exact" CHECK ("refunded_total_cents" BETWEEN 1 AND 9007199254740991)
);

-- CreateIndex
CREATE INDEX "waiting_refunds_program_id_sale_external_id_idx" ON "waiting_refunds"("program_id", "sale_external_id");

-- CreateIndex
CREATE INDEX "waiting_refunds_program_id_created_at_idx" ON "waiting_refunds"("program_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "waiting_refunds_program_id_external_id_key" ON "waiting_refunds"("program_id", "external_id");

-- AddForeignKey
ALTER TABLE "waiting_refunds" ADD CONSTRAINT "waiting_refunds_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Nothing is written to a closed program.
CREATE TRIGGER "program_must_be_open" BEFORE INSERT ON "waiting_refunds" FOR EACH ROW EXECUTE FUNCTION "program_must_be_open"();
