-- Types of events are compared byte by byte. By the rules of a language, the comparisons of the index by type were the dearest part of
-- inserting an event. The table is not written again, but its index by type is built again.
ALTER TABLE "events" ALTER COLUMN "type" TYPE TEXT COLLATE "C";
ANALYZE "events" ("type");
