import { writeTypedClient } from './typed-client.ts'

// What src/portal-page asks, as scripts/build.mjs has it made before the page.
await writeTypedClient({
  schema: 'schema.graphql',
  operations: 'src/portal-page/operations.graphql',
  output: 'src/generated/portal/graphql.ts',
})
