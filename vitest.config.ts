import { randomInt } from 'node:crypto'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { leftOut } from './test/support/left-out.ts'

const common = {
  // Vite would load graphql's ESM build and Node the CommonJS build; two copies of graphql reject each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
}
const options = {
  setupFiles: ['test/support/engine.ts'],
  // Long enough for a slow disk or a busy machine; only a hang fails.
  ...{ testTimeout: 300_000, hookTimeout: 300_000 },
  expect: { poll: { timeout: 30_000 } },
  // The workers keep all cores busy. Beside them, the threads in which V8 collects and compiles cost a quarter of the time.
  execArgv: ['--single-threaded'],
}
/** These need a process of their own: they mock node:fs, or a large heap's garbage collection would block the event loop. */
const inOwnProcess = [
  'test/database/embedded/{shared-volume,engine-failure}.test.ts',
  'test/database/{postgres,declared-statements}.test.ts',
  'test/server/event-loop.test.ts',
]
// A run with TEST_DATABASE_URL skips what says nothing about PostgreSQL: tests of files on disk, of the event loop, which the
// embedded database blocks most because it runs in the same thread, of a page with results that are made up, and of what needs no
// database.
const onlyEmbedded = process.env.TEST_DATABASE_URL
  ? [
      'test/database/embedded/**',
      'test/server/event-loop.test.ts',
      'test/browser/graphiql.test.ts',
      'test/{architecture,config}.test.ts',
      'test/docs/{containers,dependencies,docs,security}.test.ts',
      'test/kernel/*.test.ts',
      'test/scripts/**',
    ]
  : []

/** With another ENGINE than full, the statements, messages and compiled reads that these count are others. */
const ofEngine =
  (process.env.ENGINE ?? 'full') === 'full'
    ? []
    : [
        'test/database/{prepared-statements,text-reads,reader/reader}.test.ts',
        'test/rest/convention/statements.test.ts',
      ]

/** These take long, and few changes can affect them. `.ci/long` runs them (`--mode deep`), with `kill -9` at more moments. */
const long = [
  'test/**/crash.test.ts',
  'test/modules/payout-services/kill-9.test.ts',
  'test/cli/program-file-{attacks,changes}.test.ts',
  'test/database/embedded/power-cut.test.ts',
  // Needs the clients that `npm run clients` generates.
  'test/generators/*.test.ts',
  // Measures time, so it needs a quiet machine.
  'test/server/event-loop.test.ts',
]

/** What says nothing of a database, or little. `.ci/run` leaves it out, because it runs the whole suite on PostgreSQL. */
const little = [
  'test/{scripts,kernel}/**/*.test.ts',
  'test/{architecture,config}.test.ts',
  'test/docs/{containers,dependencies,docs,security}.test.ts',
  'test/{rest,server}/**/*.test.ts',
]
/**
 * `npm test` without PostgreSQL runs what can differ on the embedded database: its files,
 * locks and commits, commands on it, upgrades, races, the model, each mutation once, REST, GraphQL, the server and the dashboard.
 * With TEST_DATABASE_URL it runs the whole suite, as `npx vitest run` does on either database.
 */
const canDiffer = [
  ...(process.env.ALSO_ON_POSTGRES ? [] : little),
  'test/database/embedded/*.test.ts',
  'test/database/{background,errors,partitions,reader/*,rules,secrets,session,tenancy,text-reads,upgrade}.test.ts',
  'test/cli/{admin,default-program,find-server,start}.test.ts',
  'test/{model,races}/**/*.test.ts',
  'test/modules/history/every-mutation.test.ts',
  'test/modules/analytics/{analytics,fold}.test.ts',
  'test/modules/demo/service.test.ts',
  'test/modules/{doctor,idempotency,sales}/*.test.ts',
  'test/tenancy.test.ts',
  'test/graphql/**/*.test.ts',
  'test/browser/dashboard.test.ts',
]
/** Whether files are named, as in `npm test -- test/rest`. They run in any case. */
const hasNames = process.argv.some(
  (argument, index, all) => index > 2 && !argument.startsWith('-') && !all[index - 1]?.startsWith('--'),
)
const isPart = process.env.npm_lifecycle_event === 'test' && !process.env.TEST_DATABASE_URL && !hasNames

/** `npm test` repeats the same random sequences, so that a change is not refused for what it did not touch. */
const seed = (mode: string, name: string) =>
  process.env[name] ?? (mode === 'deep' ? String(randomInt(2 ** 31 - 2)) : '20261129')

/** `npm run test:deep`, `npm run test:kills`, `npm run test:fuzz` and `.ci/long` set the same mode. */
const deepness = (mode: string) => ({
  MODEL_SEED: seed(mode, 'MODEL_SEED'),
  FUZZ_SEED: seed(mode, 'FUZZ_SEED'),
  EXAMPLES: mode === 'deep' ? '10' : '1',
  KILLS: process.env.KILLS ?? (mode === 'deep' ? '20' : '3'),
  FUZZ_RUNS: process.env.FUZZ_RUNS ?? (mode === 'deep' ? '10000' : '250'),
  MODEL_RUNS: process.env.MODEL_RUNS ?? (mode === 'deep' ? '2000' : '100'),
})

/**
 * Vitest starts large files first. The model's are small, take long, and would leave a core idle at the end. Isolated files come
 * before all others, because a worker that ran one is not used again.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ project, moduleId }: TestSpecification) =>
      project.config.isolate ? 0 : moduleId.includes('/test/model/') ? 1 : 2
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    // Runs once for all projects, because they do not extend this configuration.
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers: 2,
    ...(isPart && mode !== 'deep' && { reporters: ['default', leftOut] }),
    sequence: { sequencer: LongFirst },
    projects: [
      // Loading the modules once for each worker, not for each file, halves the time. The files share no other state.
      {
        ...common,
        test: {
          ...options,
          name: 'service',
          include: isPart && mode !== 'deep' ? canDiffer : ['test/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            ...inOwnProcess,
            ...onlyEmbedded,
            ...ofEngine,
            ...(mode === 'deep' ? [] : long),
          ],
          isolate: false,
          env: deepness(mode),
        },
      },
      {
        ...common,
        test: {
          ...options,
          name: 'isolated',
          include: inOwnProcess,
          exclude: [...onlyEmbedded, ...(mode === 'deep' ? [] : long)],
        },
      },
    ],
  },
}))
