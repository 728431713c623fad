import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCluster } from '../../test/support/postgres-cluster.ts'

export async function withDataDir<T>(run: (dataDir: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-resilience-'))
  return await run(join(folder, 'data')).finally(() => rm(folder, { recursive: true, force: true }))
}

/** Runs with the settings of the service on each database: an embedded one, and a PostgreSQL server of its own. */
export async function onBoth(run: (env: Record<string, string>, kind: string) => Promise<void>): Promise<void> {
  await withDataDir((dataDir) => run({ DATA_DIR: dataDir }, 'embedded'))
  const cluster = await createCluster()
  await withDataDir((dataDir) => run({ DATA_DIR: dataDir, DATABASE_URL: cluster.url }, 'PostgreSQL')).finally(
    cluster.remove,
  )
}
