import { defineConfig } from 'vitest/config'

const common = {
  // Vite would load graphql's ESM build and Node the CommonJS build; two copies of graphql reject each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
}
// Long enough for a slow disk or a busy machine; only a hang fails.
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000 }
const databaseTests = 'test/database/**/*.test.ts'
const sequences = 'test/model/**/*.test.ts'
// These test files on disk and do not use PostgreSQL, so a run with TEST_DATABASE_URL skips them.
const onlyEmbedded = process.env.TEST_DATABASE_URL ? ['test/database/embedded/**'] : []

/** `npm run test:deep` sets the mode, which vitest does not pass on to projects. */
const runsOf = (mode: string) => ({ MODEL_RUNS: process.env.MODEL_RUNS ?? (mode === 'deep' ? '2000' : '200') })

export default defineConfig(({ mode }) => ({
  test: {
    // Runs once for all projects, because they do not extend this configuration.
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers: 2,
    projects: [
      // Loading the modules once for each worker, not for each file, halves the time. The files share no other state.
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
      // Some of these mock node:fs, so each file loads its own modules.
      { ...common, test: { ...timeouts, name: 'database', include: [databaseTests], exclude: onlyEmbedded } },
    ],
  },
}))
