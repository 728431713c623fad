-- CreateIndex
CREATE INDEX "applications_search_email" ON "applications" USING GIN ("email_key" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "applications_search_first_name" ON "applications" USING GIN ("first_name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "applications_search_last_name" ON "applications" USING GIN ("last_name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "mails_search_to" ON "mails" USING GIN ("to_key" gin_trgm_ops);
