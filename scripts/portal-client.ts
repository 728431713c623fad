import { fileURLToPath, pathToFileURL } from 'node:url'
import { writeTypedClient } from './typed-client.ts'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Generates the types of the portal's operations. scripts/build.mjs runs this before it bundles the page. */
export const writePortalClient = (): Promise<void> =>
  writeTypedClient({
    schema: pathOf('../schema.graphql'),
    operations: pathOf('../src/server/pages/portal/operations.graphql'),
    output: pathOf('../src/generated/portal/graphql.ts'),
  })

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writePortalClient()
