-- CreateTable
CREATE TABLE "sale_aliases" (
    "program_id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "sale_id" UUID NOT NULL,

    CONSTRAINT "sale_aliases_pkey" PRIMARY KEY ("program_id","external_id")
);

-- CreateIndex
CREATE INDEX "sale_aliases_program_id_sale_id_idx" ON "sale_aliases"("program_id", "sale_id");

-- AddForeignKey
ALTER TABLE "sale_aliases" ADD CONSTRAINT "sale_aliases_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sale_aliases" ADD CONSTRAINT "sale_aliases_program_id_sale_id_fkey" FOREIGN KEY ("program_id", "sale_id") REFERENCES "sales"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
