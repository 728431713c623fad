-- CreateEnum
CREATE TYPE "shadow_accepted_as" AS ENUM ('ours', 'theirs', 'setting');

-- CreateTable
CREATE TABLE "shadow_acceptances" (
    "program_id" UUID NOT NULL,
    "difference" TEXT NOT NULL,
    "accepted_as" "shadow_accepted_as" NOT NULL,
    "note" TEXT,
    "seen" TEXT NOT NULL,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_by_kind" "actor_kind" NOT NULL,
    "accepted_by_id" UUID,

    CONSTRAINT "shadow_acceptances_pkey" PRIMARY KEY ("program_id","difference")
);

-- AddForeignKey
ALTER TABLE "shadow_acceptances" ADD CONSTRAINT "shadow_acceptances_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
