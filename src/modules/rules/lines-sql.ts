/**
 * The lines of a commission `c` with what refunds leave of them, as `saleCentsWithout` and `remainingParts`: items that
 * refunds name are taken from the first lines of their product, and the rest is divided by size. One row if the
 * commission has no lines: `line` is null, and `rest` is the sale `s` after refunds.
 */
export const lineRests = `
  (select null::jsonb as line, (s.amount_cents - s.refunded_cents)::numeric as rest where c.rule_lines is null
  union all
  select line, coalesce(div(upto * left_cents, nullif(total, 0)) - div((upto - open) * left_cents, nullif(total, 0)), 0)
  from (
    select line, open, upto, total, least(s.amount_cents - s.refunded_cents, total) as left_cents
    from (
      select line, open, sum(open) over (order by n) as upto, sum(open) over () as total
      from (
        select line, n, cents - greatest(least(cents, greatest(named - before, 0)), 0) as open
        from (
          select line, n, (line->>'saleCents')::numeric as cents,
            coalesce(sum(greatest((line->>'saleCents')::numeric, 0)) over (
              partition by line->>'productId' order by n rows between unbounded preceding and 1 preceding), 0) as before,
            coalesce((select sum((item->>'amountCents')::numeric)
              from refunds r cross join lateral jsonb_array_elements(r.items) item
              where r.program_id = c.program_id and r.sale_id = c.sale_id and r.reversed_at is null
                and jsonb_typeof(r.items) = 'array' and item->>'productId' = line->>'productId'), 0) as named
          from jsonb_array_elements(c.rule_lines) with ordinality as lines (line, n)) given) opened) summed) shares)`

/** As `percentOf`. */
export const percentSql = (cents: string, basisPoints: string): string =>
  `(div(${cents} * ${basisPoints} + 5000, 10000) - case when mod(${cents} * ${basisPoints} + 5000, 10000) < 0 then 1 else 0 end)`

/** What the rate of a line earns of its rest, as `percentOf` and `earnedOf`. Caps are not deducted. */
export const centsOfLine = `case when rest = 0 or (rest < 0 and line->>'fixedCents' is not null) then 0
  when line->>'fixedCents' is null then ${percentSql('rest', `(line->>'basisPoints')::numeric`)}
  else (line->>'fixedCents')::numeric end`
