import { statement } from '../../src/database/client/sql.ts'
import { invariants } from '../../src/modules/doctor/invariants.ts'
import type { TestDatabase } from './database.ts'

type Violation = { invariant: string; programId: string; id: string; detail: string }

const mostPerInvariant = 100
const patienceMs = 4 * 60_000

const allowTime = statement(`set local statement_timeout = ${patienceMs}`)
const allViolations = statement<Violation>(
  invariants
    .map(
      ({ name, sql }) =>
        `(select '${name}' as invariant, program_id::text as "programId", id::text, detail
          from (${sql}) violations limit ${mostPerInvariant})`,
    )
    .join(' union all '),
)

/** All that the doctor finds, by one statement: in the small databases of tests, one for each invariant takes longer. */
export const findViolations = ({ db }: Pick<TestDatabase, 'db'>): Promise<Violation[]> =>
  db.sql.transaction(async (tx) => {
    await tx.query(allowTime)
    return tx.query({ ...allViolations, patienceMs })
  })
