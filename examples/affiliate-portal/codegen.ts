import { fileURLToPath, pathToFileURL } from 'node:url'
import { writeTypedClient } from '../../scripts/typed-client.ts'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Generates the TypeScript types of page/operations.graphql in page/generated. */
export const generate = (): Promise<void> =>
  writeTypedClient({
    schema: pathOf('../../schema.graphql'),
    operations: pathOf('page/operations.graphql'),
    output: pathOf('page/generated/graphql.ts'),
  })

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await generate()
