-- AlterEnum
ALTER TYPE "held_reason" ADD VALUE 'self_referral_lookalike';
ALTER TYPE "held_reason" ADD VALUE 'visit_after_sale';
