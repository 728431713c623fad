-- CreateTable
CREATE TABLE "connected_apps" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "can_propose" BOOLEAN NOT NULL,
    "resource" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "code_challenge" TEXT NOT NULL,
    "code_hash" TEXT NOT NULL,
    "access_hash" TEXT,
    "access_ends_at" TIMESTAMPTZ(3),
    "refresh_hash" TEXT,
    "previous_refresh_hash" TEXT,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "connected_apps_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateIndex
CREATE INDEX "connected_apps_person_id_idx" ON "connected_apps"("person_id");

-- CreateIndex
CREATE INDEX "connected_apps_code_hash_idx" ON "connected_apps"("code_hash");

-- CreateIndex
CREATE INDEX "connected_apps_access_hash_idx" ON "connected_apps"("access_hash");

-- CreateIndex
CREATE INDEX "connected_apps_refresh_hash_idx" ON "connected_apps"("refresh_hash");

-- CreateIndex
CREATE INDEX "connected_apps_previous_refresh_hash_idx" ON "connected_apps"("previous_refresh_hash");

-- AddForeignKey
ALTER TABLE "connected_apps" ADD CONSTRAINT "connected_apps_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "connected_apps" ADD CONSTRAINT "connected_apps_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE RESTRICT;
