-- AlterTable
ALTER TABLE "affiliates" ADD COLUMN     "sign_in_count" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "sso_redemptions" (
    "program_id" UUID NOT NULL,
    "ticket_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sso_redemptions_pkey" PRIMARY KEY ("program_id","ticket_id")
);

-- AddForeignKey
ALTER TABLE "sso_redemptions" ADD CONSTRAINT "sso_redemptions_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
