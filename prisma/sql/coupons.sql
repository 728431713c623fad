-- The contract shows one coupon of an affiliate: the oldest that is not archived. Rows lead to it without a search.

CREATE OR REPLACE FUNCTION coupons_keep_first() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed affiliate_coupons := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  first_id uuid;
BEGIN
  -- Concurrent changes of the affiliate's coupons take turns.
  PERFORM FROM affiliates WHERE program_id = changed.program_id AND id = changed.affiliate_id FOR NO KEY UPDATE;
  SELECT id INTO first_id FROM affiliate_coupons
    WHERE program_id = changed.program_id AND affiliate_id = changed.affiliate_id AND archived_at IS NULL
    ORDER BY id LIMIT 1;
  UPDATE affiliate_coupons SET first_of = NULL
    WHERE program_id = changed.program_id AND first_of = changed.affiliate_id AND id IS DISTINCT FROM first_id;
  UPDATE affiliate_coupons SET first_of = affiliate_id
    WHERE program_id = changed.program_id AND id = first_id AND first_of IS NULL;
  RETURN NULL;
END
$$;
