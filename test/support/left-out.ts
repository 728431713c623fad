import { readdirSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Says how many files of tests a run without PostgreSQL leaves out, so that a new file is not thought to have run. */
export const leftOut: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.test.ts') && !file.includes('node_modules'),
    )
    const count = files.length - new Set(modules.map(({ moduleId }) => moduleId)).size
    console.log(
      `\n${count} of ${files.length} files of tests were left out. With TEST_DATABASE_URL, npm test runs them.`,
    )
  },
}
