/** The sum of a number in the items of refunds that name the product of a line. */
const named = (sum: string) => `coalesce((select sum(${sum})
              from refunds r cross join lateral jsonb_array_elements(r.items) item
              where r.program_id = c.program_id and r.sale_id = c.sale_id and r.reversed_at is null
                and jsonb_typeof(r.items) = 'array' and item->>'productId' = line->>'productId'), 0)`

/** The sum of a number of the earlier lines of the product, without credit lines. */
const before = (of: string) => `coalesce(sum(greatest((line->>'${of}')::numeric, 0)) over (
              partition by line->>'productId' order by n rows between unbounded preceding and 1 preceding), 0)`

/** How much of what refunds name is of this line: the first lines of a product go first, and a credit line stays. */
const taken = (most: string, all: string, earlier: string) =>
  `greatest(least(${most}, greatest(${all} - ${earlier}, 0)), 0)`

/**
 * The lines of a commission `c` with what refunds leave of them, as `linesWithout` and `remainingParts`: items that
 * refunds name are taken from the first lines of their product, and the rest is divided by size. `units` are left of
 * the line. One row if the commission has no lines: `line` is null, and `rest` is the sale `s` after refunds.
 */
export const lineRests = `
  (select null::jsonb as line, (s.amount_cents - s.refunded_cents)::numeric as rest, 1::numeric as units
  where c.rule_lines is null
  union all
  select line, rest, greatest(sold - named_units - coalesce(div((cents - named_cents - rest) * sold, nullif(cents, 0)), 0), 0)
  from (
    select line, cents, sold, named_units, named_cents,
      coalesce(div(upto * left_cents, nullif(total, 0)) - div((upto - open) * left_cents, nullif(total, 0)), 0) as rest
    from (
      select *, least(s.amount_cents - s.refunded_cents, total) as left_cents
      from (
        select *, sum(open) over (order by n) as upto, sum(open) over () as total
        from (
          select line, n, cents, sold, cents - ${taken('cents', 'named', 'before')} as open,
            ${taken('sold', 'units', 'units_before')} as named_units, ${taken('cents', 'counted', 'before')} as named_cents
          from (
            select line, n, (line->>'saleCents')::numeric as cents, (line->>'quantity')::numeric as sold,
              ${before('saleCents')} as before, ${before('quantity')} as units_before,
              ${named("(item->>'amountCents')::numeric")} as named,
              ${named("(item->>'amountCents')::numeric * (item->'quantity' is not null)::int")} as counted,
              ${named("(item->>'quantity')::numeric")} as units
            from jsonb_array_elements(c.rule_lines) with ordinality as lines (line, n)) given) opened) summed) shares) lefts)`

/** As `percentOf`. */
export const percentSql = (cents: string, basisPoints: string): string =>
  `(div(${cents} * ${basisPoints} + 5000, 10000) - case when mod(${cents} * ${basisPoints} + 5000, 10000) < 0 then 1 else 0 end)`

/** What the rate of a line earns of its rest, as `percentOf` and `earnedOf`. Caps are not deducted. */
export const centsOfLine = `case when rest = 0 or (rest < 0 and line->>'fixedCents' is not null) then 0
  when line->>'fixedCents' is null then ${percentSql('rest', `(line->>'basisPoints')::numeric`)}
  when line->>'productId' is null then (line->>'fixedCents')::numeric
  else div((line->>'fixedCents')::numeric * units, (line->>'quantity')::numeric) end`
