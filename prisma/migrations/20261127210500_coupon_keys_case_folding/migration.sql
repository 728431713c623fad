-- Codes are compared by full case folding: ẞ is ss, as ß was before, and İ is i. Only keys that come from these two letters change.
-- If another coupon of the program has the new key, or an older one gets it, the row keeps its old key: codes in either spelling then
-- belong to that other coupon, as they do for a new one.
WITH changed AS (
  SELECT program_id, id, new_key, row_number() OVER (PARTITION BY program_id, new_key ORDER BY id) AS place
  FROM (
    SELECT program_id, id, token_key, replace(replace(token_key, 'ß', 'ss'), U&'i\0307', 'i') AS new_key FROM affiliate_coupons
  ) folded
  WHERE new_key <> token_key
)
UPDATE affiliate_coupons k SET token_key = changed.new_key
FROM changed
WHERE k.program_id = changed.program_id AND k.id = changed.id AND changed.place = 1
  AND NOT EXISTS (
    SELECT FROM affiliate_coupons o WHERE o.program_id = changed.program_id AND o.token_key = changed.new_key);
