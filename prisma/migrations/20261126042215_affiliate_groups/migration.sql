-- AlterEnum
ALTER TYPE "change_subject" ADD VALUE 'affiliate_group';

-- CreateTable
CREATE TABLE "affiliate_groups" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "affiliate_groups_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "affiliate_group_memberships" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "until_at" TIMESTAMPTZ(3),

    CONSTRAINT "affiliate_group_memberships_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "affiliate_groups_program_id_name_key_key" ON "affiliate_groups"("program_id", "name_key");

-- CreateIndex
CREATE INDEX "affiliate_group_memberships_program_id_affiliate_id_idx" ON "affiliate_group_memberships"("program_id", "affiliate_id");

-- CreateIndex
CREATE INDEX "affiliate_group_memberships_program_id_group_id_affiliate_i_idx" ON "affiliate_group_memberships"("program_id", "group_id", "affiliate_id");

-- AddForeignKey
ALTER TABLE "affiliate_groups" ADD CONSTRAINT "affiliate_groups_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_group_memberships" ADD CONSTRAINT "affiliate_group_memberships_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_group_memberships" ADD CONSTRAINT "affiliate_group_memberships_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- An affiliate is in a group once.
CREATE UNIQUE INDEX "affiliate_group_memberships_present" ON "affiliate_group_memberships"("program_id", "affiliate_id", "group_id") WHERE "until_at" IS NULL;
