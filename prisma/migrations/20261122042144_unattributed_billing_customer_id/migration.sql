-- AlterTable
ALTER TABLE "unattributed_sales" ADD COLUMN     "billing_customer_id" TEXT;
