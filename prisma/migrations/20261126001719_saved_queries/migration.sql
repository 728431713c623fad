-- CreateTable
CREATE TABLE "saved_queries" (
    "program_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "query" TEXT NOT NULL,
    "variables" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_queries_pkey" PRIMARY KEY ("program_id","name")
);

-- CreateIndex
CREATE INDEX "saved_queries_person_id_idx" ON "saved_queries"("person_id");

-- AddForeignKey
ALTER TABLE "saved_queries" ADD CONSTRAINT "saved_queries_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "saved_queries" ADD CONSTRAINT "saved_queries_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE RESTRICT;
