-- CreateEnum
CREATE TYPE "leaderboard" AS ENUM ('nothing', 'ranks', 'amounts');

-- AlterTable
ALTER TABLE "affiliates" ADD COLUMN     "display_name" TEXT,
ADD COLUMN     "shows_in_leaderboard" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "programs" ADD COLUMN     "leaderboard_shows" "leaderboard" NOT NULL DEFAULT 'nothing';
