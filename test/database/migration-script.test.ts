import { expect, test } from 'vitest'
import { startChild } from '../support/data-directory.ts'

test('npm run migration -- --check succeeds for the committed migrations', async () => {
  expect(await startChild('scripts/migration.ts', ['--check']).exited).toEqual({
    code: 0,
    output: [
      'The migrations match prisma/schema.prisma.',
      'The files of prisma/sql name all functions, triggers, views and policies of the database.',
    ].join('\n'),
  })
})

test.each([[[]], [['With Blanks']], [['../escape']]])('npm run migration with %j prints its usage', async (args) => {
  expect(await startChild('scripts/migration.ts', args).exited).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Usage: npm run migration/),
  })
})
