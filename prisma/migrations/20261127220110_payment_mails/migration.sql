-- AlterEnum
ALTER TYPE "mail_kind" ADD VALUE 'payout_unclaimed';
ALTER TYPE "mail_kind" ADD VALUE 'payout_address_dead';
