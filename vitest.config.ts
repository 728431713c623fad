import { defineConfig } from 'vitest/config'

const common = {
  // Vite would take graphql's ESM build, Node takes the other: two copies of one module refuse each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
}
// Generous: a slow disk or a busy machine fails no test, a hang still does.
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000 }
const databaseTests = 'test/database/**/*.test.ts'
const sequences = 'test/model/**/*.test.ts'
// These are about files on a disk, whatever TEST_DATABASE_URL says: a run on PostgreSQL has nothing to add to them.
const onlyEmbedded = process.env.TEST_DATABASE_URL ? ['test/database/embedded/**'] : []

/** `npm run test:deep`; a project does not hear of the mode by itself. */
const runsOf = (mode: string) => ({ MODEL_RUNS: process.env.MODEL_RUNS ?? (mode === 'deep' ? '2000' : '200') })

export default defineConfig(({ mode }) => ({
  test: {
    // Once for all projects, which therefore do not extend this.
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers: 2,
    projects: [
      // These files share nothing but the modules: loading those once a worker, not once a file, halves the time.
      {
        ...common,
        test: {
          ...timeouts,
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [databaseTests, sequences],
          isolate: false,
        },
      },
      { ...common, test: { ...timeouts, name: 'sequences', include: [sequences], env: runsOf(mode) } },
      // Some of these replace node:fs beneath the modules, so each file has modules of its own.
      { ...common, test: { ...timeouts, name: 'database', include: [databaseTests], exclude: onlyEmbedded } },
    ],
  },
}))
