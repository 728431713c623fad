-- CreateEnum
CREATE TYPE "api_key_profile" AS ENUM ('contract', 'superset');

-- CreateEnum
CREATE TYPE "api_key_words" AS ENUM ('contract', 'convention');

-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "profile" "api_key_profile" NOT NULL DEFAULT 'contract',
ADD COLUMN     "words" "api_key_words" NOT NULL DEFAULT 'contract';
