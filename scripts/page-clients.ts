import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeActionInputs, writeTypedClient } from './typed-client.ts'

// Generates the types of the operations of the portal or of the dashboard. scripts/build.mjs runs this before it bundles
// the pages.

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const schema = pathOf('../schema.graphql')
const dashboard = pathOf('../src/pages/dashboard')
const dashboardClient = pathOf('../src/generated/dashboard')

const writePortalClient = (): Promise<void> =>
  writeTypedClient({
    schema,
    operations: pathOf('../src/pages/portal/operations.graphql'),
    output: pathOf('../src/generated/portal/graphql.ts'),
  })

/**
 * One file for each folder with an `operations.graphql`, so that the operations of a view are loaded with the view. Each
 * may use the fragments of `fragments.graphql`. `actions.ts` has the types of the inputs of all mutations.
 */
async function writeDashboardClient(): Promise<void> {
  const folders = readdirSync(dashboard, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('operations.graphql'))
    .map((file) => file.slice(0, -'/operations.graphql'.length))
  rmSync(dashboardClient, { recursive: true, force: true })
  for (const folder of folders)
    await writeTypedClient({
      schema,
      operations: `${dashboard}/${folder}/operations.graphql`,
      fragments: `${dashboard}/fragments.graphql`,
      output: `${dashboardClient}/${folder}/graphql.ts`,
    })
  await writeActionInputs(schema, `${dashboardClient}/actions.ts`)
}

await (process.argv[2] === 'portal' ? writePortalClient() : writeDashboardClient())
