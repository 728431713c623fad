-- AlterTable: who made an invitation. It ends with the rights of that person.
ALTER TABLE "invitations" ADD COLUMN     "invited_by" UUID;

-- The history knows who made those that are open.
UPDATE invitations i SET invited_by = (
  SELECT c.actor_id FROM changes c
  WHERE c.program_id = i.program_id AND c.subject = 'invitation' AND c.subject_id = i.id AND c.action = 'created' AND c.actor_kind = 'person'
  ORDER BY c.id LIMIT 1);
