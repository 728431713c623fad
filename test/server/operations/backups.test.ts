import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createBackups } from '../../../src/database/backup/schedule.ts'
import { embeddedWriter } from '../../../src/database/backup/writers.ts'
import { createTestApp } from '../../support/app.ts'
import { silentLog as log } from '../../support/database.ts'
import { addMember, setUpOperator } from '../../support/people.ts'

const folder = await mkdtemp(join(tmpdir(), 'tributary-test-'))
afterAll(() => rm(folder, { recursive: true }))
const backups = createBackups({ folder, everyHours: 24, keep: 7 }, embeddedWriter(folder, log), log)
const test = await createTestApp({ backups })
const olga = await setUpOperator(test)
const program = await test.createProgram()
const mia = await addMember(test, olga, program.slug, { email: 'mia@example.com', role: 'OWNER' })

const problemAt = async (hoursAgo: number) => {
  const at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString().replace(/[-:]|\.\d+/g, '')
  await writeFile(join(folder, `tributary-${at}.dump`), '')
  const { doctor } = await test.operator('{ doctor(only: []) { backupProblem } }')
  return doctor.backupProblem
}

it('the doctor and operators see that there is no recent backup, and others do not', async () => {
  expect(await problemAt(49)).toMatch(/has no backup since .* One is due every 24 hours\.$/)
  const query = '{ viewer { backupProblem } }'
  expect(await olga.graphql()(query)).toEqual({ viewer: { backupProblem: expect.stringContaining('BACKUP_DIR') } })
  expect(await mia.graphql(program.slug)(query)).toEqual({ viewer: { backupProblem: null } })
  expect(await problemAt(47)).toBeNull()
})
