-- AlterEnum
ALTER TYPE "analytics_grain" ADD VALUE 'year';
