-- CreateTable
CREATE TABLE "failed_requests" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "operation" TEXT,
    "status" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "problem" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "failed_requests_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateIndex
CREATE INDEX "failed_requests_created_at_idx" ON "failed_requests"("created_at");

-- AddForeignKey
ALTER TABLE "failed_requests" ADD CONSTRAINT "failed_requests_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
