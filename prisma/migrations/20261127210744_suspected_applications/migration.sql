-- AlterEnum
ALTER TYPE "application_state" ADD VALUE 'suspected_spam';
