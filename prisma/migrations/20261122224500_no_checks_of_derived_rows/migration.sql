-- DropForeignKey: these rows are written by the database in the transaction of a row that references the program, many for
-- each sale, and each check of a key costs a look-up. deleteProgram empties these tables last.
ALTER TABLE "analytics_deltas" DROP CONSTRAINT "analytics_deltas_program_id_fkey";
ALTER TABLE "event_states" DROP CONSTRAINT "event_states_program_id_fkey";
ALTER TABLE "events" DROP CONSTRAINT "events_program_id_fkey";
ALTER TABLE "list_deltas" DROP CONSTRAINT "list_deltas_program_id_fkey";
ALTER TABLE "webhook_queue" DROP CONSTRAINT "webhook_queue_program_id_fkey";
