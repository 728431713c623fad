-- AlterEnum
ALTER TYPE "held_reason" ADD VALUE 'terms_not_accepted';
