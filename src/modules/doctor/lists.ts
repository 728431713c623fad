// Checks that the kept numbers of lists agree with the rows.

/** The counts by range of ids, plus the deltas that are not folded into them, minus the rows. It has to be zero. */
export const listInvariants = [
  {
    name: 'list-counts-are-the-rows',
    promise:
      'The numbers of rows that lists show, plus the deltas that are not folded into them yet, equal the rows, in each range of ids and each state.',
    sql: `
      select program_id, first_id as id, format('%s %s: count off by %s', list, state, sum(count)) as detail
      from (
        select program_id, list, first_id, state, count from list_counts
        union all
        select program_id, list, coalesce(max(range_id) over ranges, '00000000-0000-0000-0000-000000000000')::uuid, state, count
        from (
          select program_id, list, first_id as id, null as state, 0 as count, first_id::text as range_id, 0 as rank
          from (select distinct program_id, list, first_id from list_counts) starts
          union all
          select program_id, list, row_id, state, count, null, 1 from list_deltas
          union all
          select program_id, list, id, state, -1, null, 1 from listed_rows
        ) sorted
        window ranges as (partition by program_id, list order by id, rank)
      ) compared
      where state is not null
      group by program_id, list, first_id, state having sum(count) <> 0`,
  },
]
