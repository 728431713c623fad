import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { writeTypedClient } from './typed-client.ts'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const pages = pathOf('../src/server/pages/dashboard')
const generated = pathOf('../src/generated/dashboard')

/**
 * Generates the types of the dashboard's operations: one file for each folder with an `operations.graphql`, so that a
 * page's operations are loaded with the page. scripts/build.mjs runs this before it bundles the dashboard.
 */
export async function writeDashboardClient(): Promise<void> {
  const folders = readdirSync(pages, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('operations.graphql'))
    .map((file) => file.slice(0, -'/operations.graphql'.length))
  rmSync(generated, { recursive: true, force: true })
  for (const folder of folders)
    await writeTypedClient({
      schema: pathOf('../schema.graphql'),
      operations: `${pages}/${folder}/operations.graphql`,
      output: `${generated}/${folder}/graphql.ts`,
    })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeDashboardClient()
