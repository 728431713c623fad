-- AlterEnum
ALTER TYPE "actor_kind" ADD VALUE 'affiliate';

-- CreateTable
CREATE TABLE "affiliate_token_secrets" (
    "program_id" UUID NOT NULL,
    "secret" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "affiliate_token_secrets_pkey" PRIMARY KEY ("program_id")
);

-- AddForeignKey
ALTER TABLE "affiliate_token_secrets" ADD CONSTRAINT "affiliate_token_secrets_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
