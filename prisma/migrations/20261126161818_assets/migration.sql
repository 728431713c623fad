-- CreateEnum
CREATE TYPE "asset_kind" AS ENUM ('image', 'text', 'video');

-- CreateTable
CREATE TABLE "assets" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "kind" "asset_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "text" TEXT,
    "url" TEXT,
    "page" TEXT,
    "media_type" TEXT,
    "width" INTEGER,
    "height" INTEGER,
    "archived_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "assets_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "asset_files" (
    "program_id" UUID NOT NULL,
    "asset_id" UUID NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "asset_files_pkey" PRIMARY KEY ("program_id","asset_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "assets_program_id_number_key" ON "assets"("program_id", "number");

-- AddForeignKey
ALTER TABLE "assets" ADD CONSTRAINT "assets_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "asset_files" ADD CONSTRAINT "asset_files_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "asset_files" ADD CONSTRAINT "asset_files_program_id_asset_id_fkey" FOREIGN KEY ("program_id", "asset_id") REFERENCES "assets"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
