-- AlterTable
ALTER TABLE "failed_requests" ADD COLUMN     "body" TEXT,
ADD COLUMN     "query" TEXT;
