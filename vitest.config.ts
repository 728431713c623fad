import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Vite would take graphql's ESM build, Node takes the other: two copies of one module refuse each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      // These files share nothing but the modules: loading those once a worker, not once a file, halves the time.
      {
        extends: true,
        test: { name: 'service', include: ['test/**/*.test.ts'], exclude: ['test/database/**'], isolate: false },
      },
      // These replace node:fs and the like beneath the modules, so each file has its own.
      { extends: true, test: { name: 'database', include: ['test/database/**/*.test.ts'] } },
    ],
  },
})
