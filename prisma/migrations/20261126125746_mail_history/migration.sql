-- AlterEnum
ALTER TYPE "change_subject" ADD VALUE 'mail';
