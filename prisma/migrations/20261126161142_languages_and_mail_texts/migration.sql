-- AlterTable
ALTER TABLE "affiliates" ADD COLUMN     "language" TEXT;

-- AlterTable
ALTER TABLE "applications" ADD COLUMN     "language" TEXT;

-- CreateTable
CREATE TABLE "mail_texts" (
    "program_id" UUID NOT NULL,
    "kind" "mail_kind" NOT NULL,
    "language" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "button" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_texts_pkey" PRIMARY KEY ("program_id","kind","language")
);

-- CreateTable
CREATE TABLE "mail_kinds_off" (
    "program_id" UUID NOT NULL,
    "kind" "mail_kind" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_kinds_off_pkey" PRIMARY KEY ("program_id","kind")
);

-- AddForeignKey
ALTER TABLE "mail_texts" ADD CONSTRAINT "mail_texts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mail_kinds_off" ADD CONSTRAINT "mail_kinds_off_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
