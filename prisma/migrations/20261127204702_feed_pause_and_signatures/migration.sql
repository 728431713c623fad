-- CreateEnum
CREATE TYPE "feed_signature_encoding" AS ENUM ('hex', 'base64');

-- CreateEnum
CREATE TYPE "feed_signature_algorithm" AS ENUM ('sha256', 'sha512', 'sha1');

-- CreateEnum
CREATE TYPE "feed_signature_content" AS ENUM ('body', 'time_and_body');

-- CreateEnum
CREATE TYPE "feed_body_format" AS ENUM ('json', 'form');

-- AlterTable
ALTER TABLE "feeds" ADD COLUMN     "body_format" "feed_body_format" NOT NULL DEFAULT 'json',
ADD COLUMN     "paused_at" TIMESTAMPTZ(3),
ADD COLUMN     "signature_algorithm" "feed_signature_algorithm" NOT NULL DEFAULT 'sha256',
ADD COLUMN     "signature_content" "feed_signature_content" NOT NULL DEFAULT 'body',
ADD COLUMN     "signature_encoding" "feed_signature_encoding" NOT NULL DEFAULT 'hex',
ADD COLUMN     "signature_header" TEXT,
ADD COLUMN     "signature_prefix" TEXT;
