-- CreateTable
CREATE TABLE "encryption_checks" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "value" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "encryption_checks_pkey" PRIMARY KEY ("id")
);
