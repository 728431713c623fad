import { z } from 'zod'
import { defineTool, row, rows } from '../tool.ts'

const query = `query Doctor {
  doctor { names findings { invariant promise detail programId rowId } backupProblem bucketProblem newerVersion hasRowSecurity }
  installationStatus { version newerVersion programs }
}`

export const doctor = defineTool({
  name: 'doctor',
  title: 'Check the data',
  description: 'Checks what must always hold for the data of the installation, and shows its status. For operators.',
  audience: 'operator',
  input: z.object({}),
  output: {
    checked: z.number().describe('How many things were checked.'),
    findings: rows('What does not hold. Empty if all is well.'),
    status: row('The version, and whether there is a newer one.'),
    problems: z.array(z.unknown()).describe('Of backups and of the bucket.'),
  },
  async run(call) {
    const { doctor: found, installationStatus: status } = await call.ask(query)
    const problems = [found.backupProblem, found.bucketProblem].filter(Boolean)
    return { checked: found.names.length, findings: found.findings, status, problems }
  },
})
