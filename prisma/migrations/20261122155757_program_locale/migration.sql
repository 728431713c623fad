-- AlterTable
ALTER TABLE "programs" ADD COLUMN     "locale" TEXT NOT NULL DEFAULT 'en-US';
