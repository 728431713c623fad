import { writeTypedClient } from './typed-client.ts'

// What src/server/pages/portal asks, as scripts/build.mjs has it made before the page.
await writeTypedClient({
  schema: 'schema.graphql',
  operations: 'src/server/pages/portal/operations.graphql',
  output: 'src/generated/portal/graphql.ts',
})
