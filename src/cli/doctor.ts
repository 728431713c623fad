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
  if (findings.length === 0) return `All is well: the data keeps ${invariants} of ${invariants} promises.`
  const lines = findings.map(
    ({ invariant, promise, programId, id, detail }) =>
      `${invariant}: program ${programId}, row ${id}: ${detail}. ${promise}`,
  )
  throw new OperatorError([`${findings.length} rows break a promise:`, ...lines].join('\n'))
})
