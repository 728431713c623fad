-- AlterEnum: alone, because a new value can be used only after it was committed.
ALTER TYPE "listed_table" ADD VALUE 'events' AFTER 'customers';
