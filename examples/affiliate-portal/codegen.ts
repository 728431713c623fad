import { fileURLToPath, pathToFileURL } from 'node:url'
import { writeTypedClient } from '../../scripts/typed-client.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Writes what page/operations.graphql answers, in TypeScript, into page/generated. */
export const generate = (): Promise<void> =>
  writeTypedClient({
    schema: here('../../schema.graphql'),
    operations: here('page/operations.graphql'),
    output: here('page/generated/graphql.ts'),
  })

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await generate()
