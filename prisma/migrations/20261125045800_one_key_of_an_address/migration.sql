-- The spellings of one address get one key: composed letters of normal width, without invisible characters, and the letters of a
-- domain that is in ASCII (xn--). Keys are in lower case already. An address whose new key another row has keeps its own.
CREATE FUNCTION pg_temp.decoded_label(label text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  encoded text := substr(label, 5);
  basic int := greatest(length(encoded) - strpos(reverse(encoded), '-'), 0);
  output int[] := '{}';
  digits text := encoded;
  n int := 128; i int := 0; bias int := 72; old int; w int; k int; t int; digit int; place int := 1; delta int; points int;
BEGIN
  IF strpos(encoded, '-') > 0 THEN
    FOR c IN 1..basic LOOP output := output || ascii(substr(encoded, c, 1)); END LOOP;
    digits := substr(encoded, basic + 2);
  END IF;
  WHILE place <= length(digits) LOOP
    old := i; w := 1; k := 36;
    LOOP
      digit := strpos('abcdefghijklmnopqrstuvwxyz0123456789', substr(digits, place, 1)) - 1;
      IF digit < 0 OR place > length(digits) THEN RETURN label; END IF;
      place := place + 1;
      i := i + digit * w;
      t := least(greatest(k - bias, 1), 26);
      EXIT WHEN digit < t;
      w := w * (36 - t);
      k := k + 36;
    END LOOP;
    points := coalesce(array_length(output, 1), 0) + 1;
    delta := CASE WHEN old = 0 THEN (i - old) / 700 ELSE (i - old) / 2 END;
    delta := delta + delta / points;
    k := 0;
    WHILE delta > 455 LOOP delta := delta / 35; k := k + 36; END LOOP;
    bias := k + 36 * delta / (delta + 38);
    n := n + i / points;
    i := i % points;
    output := output[1:i] || n || output[i + 1:];
    i := i + 1;
  END LOOP;
  RETURN (SELECT string_agg(chr(point), '' ORDER BY number) FROM unnest(output) WITH ORDINALITY AS t (point, number));
EXCEPTION WHEN OTHERS THEN RETURN label;
END $$;

CREATE FUNCTION pg_temp.one_key(email_key text) RETURNS text LANGUAGE sql AS $$
  SELECT replace(normalize(regexp_replace(
    CASE WHEN email_key LIKE '%@%xn--%' THEN
      regexp_replace(email_key, '@[^@]*$', '') || '@' || (
        SELECT string_agg(CASE WHEN label LIKE 'xn--%' THEN pg_temp.decoded_label(label) ELSE label END, '.' ORDER BY number)
        FROM regexp_split_to_table(substring(email_key FROM '[^@]*$'), '\.') WITH ORDINALITY AS t (label, number))
    ELSE email_key END,
    '[\u00ad\u200b-\u200f\u2060\ufeff]', '', 'g'), NFKC), 'ς', 'σ')
$$;

WITH given AS (
  SELECT "program_id", "id", "email_key", pg_temp.one_key("email_key") AS key FROM "customers"
  WHERE "email_key" ~ '[^ -~]' OR "email_key" LIKE '%@%xn--%'
), first AS (SELECT DISTINCT ON ("program_id", key) * FROM given ORDER BY "program_id", key, "id")
UPDATE "customers" c SET "email_key" = first.key FROM first
WHERE c."program_id" = first."program_id" AND c."id" = first."id" AND first.key <> first."email_key"
  AND NOT EXISTS (SELECT FROM "customers" o WHERE o."program_id" = first."program_id" AND o."email_key" = first.key);

WITH given AS (
  SELECT "program_id", "id", "email_key", pg_temp.one_key("email_key") AS key FROM "affiliates"
  WHERE "email_key" ~ '[^ -~]' OR "email_key" LIKE '%@%xn--%'
), first AS (SELECT DISTINCT ON ("program_id", key) * FROM given ORDER BY "program_id", key, "id")
UPDATE "affiliates" a SET "email_key" = first.key FROM first
WHERE a."program_id" = first."program_id" AND a."id" = first."id" AND first.key <> first."email_key"
  AND NOT EXISTS (SELECT FROM "affiliates" o WHERE o."program_id" = first."program_id" AND o."email_key" = first.key);
