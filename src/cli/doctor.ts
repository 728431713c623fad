import { OperatorError } from '../database/operator-error.ts'
import { operate } from './operate.ts'
import { report } from './report.ts'

type Diagnosis = {
  invariants: number
  findings: { invariant: string; promise: string; programId: string; id: string; detail: string }[]
}

await report(async () => {
  const { doctor } = await operate<{ doctor: Diagnosis }>(
    '{ doctor { invariants findings { invariant promise programId id detail } } }',
  )
  const { invariants, findings } = doctor
  if (findings.length === 0) return `All is well: ${invariants} of ${invariants} invariants hold.`
  const lines = findings.map(
    ({ invariant, promise, programId, id, detail }) =>
      `${invariant}: program ${programId}, row ${id}: ${detail}. ${promise}`,
  )
  throw new OperatorError([`${findings.length} rows violate an invariant:`, ...lines].join('\n'))
})
