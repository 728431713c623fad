-- time_of_id() does the same.
DROP FUNCTION "event_time"("id" uuid);
