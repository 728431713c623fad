-- record_events counts the visits of a referral once for all states of a call, and those of a new referral not at all: it has at most
-- the visit that it was created by. The count is a statement of its own. Its plan names each partition of visits, and a statement
-- with it costs as much whether it counts or not.
DO $generate$
DECLARE
  before text := pg_get_functiondef('record_events(jsonb)'::regprocedure);
  declared text := replace(before, E'\n  affiliate uuid;', E'\n  visited integer;\n  visited_referral uuid;\n  affiliate uuid;');
  counted text := replace(declared, E'\n      INSERT INTO event_states (program_id, id, rows)', $body$
      IF referral IS DISTINCT FROM visited_referral THEN
        IF of_subject = 'referral' AND ("given" -> 'only_new')::boolean THEN
          visited := 1;
        ELSE
          SELECT greatest(1, count(*)) INTO visited
          FROM referrals r JOIN visits v ON v.program_id = r.program_id AND v.referral_id = r.id AND v.id >= least_id(r.created_at - interval '1 hour')
          WHERE r.program_id = program AND r.id = referral AND r.link_id IS NOT NULL;
        END IF;
        visited_referral := referral;
      END IF;
      INSERT INTO event_states (program_id, id, rows)$body$);
  after text := regexp_replace(counted, 'CASE WHEN r.link_id IS NULL THEN 0 ELSE greatest\(1,.*?\)\)\)::integer END',
    'CASE WHEN r.link_id IS NULL THEN 0 ELSE visited END');
BEGIN
  IF before = declared OR declared = counted OR counted = after THEN RAISE EXCEPTION 'record_events has another form'; END IF;
  EXECUTE after;
END
$generate$;
