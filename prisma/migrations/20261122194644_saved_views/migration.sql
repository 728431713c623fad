-- CreateEnum
CREATE TYPE "saved_view_list" AS ENUM ('affiliates', 'commissions', 'sales', 'payouts');

-- CreateTable
CREATE TABLE "saved_views" (
    "program_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "list" "saved_view_list" NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("program_id","person_id","list","name")
);

-- CreateIndex
CREATE INDEX "saved_views_person_id_idx" ON "saved_views"("person_id");

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE RESTRICT;
