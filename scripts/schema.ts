import { readFileSync, writeFileSync } from 'node:fs'
import { isObjectType } from 'graphql'
import { printAffiliateSchema, printPublicSchema } from '../src/schema/print.ts'
import { publicSchema } from '../src/schema/schema.ts'

// Writes schema.graphql, schema.affiliate.graphql, and the names of the types without `id` into docs/graphql.md, which the keys of graphcache need.
// With --check it writes nothing, and fails if a file is out of date.
const docs = 'docs/graphql.md'
const columns = 120

function valueTypes(): string[] {
  const roots = [publicSchema.getQueryType(), publicSchema.getMutationType(), publicSchema.getSubscriptionType()]
  return Object.values(publicSchema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !type.name.startsWith('__') && !roots.includes(type) && !type.getFields().id)
    .map(({ name }) => name)
    .sort()
}

const inLines = (names: readonly string[]): string =>
  names.reduce(
    (text, name) => `${text}${text.length - text.lastIndexOf('\n') + name.length > columns ? '\n  ' : ' '}${name}`,
    ' ',
  )

const written = {
  'schema.graphql': printPublicSchema(),
  'schema.affiliate.graphql': printAffiliateSchema(),
  [docs]: readFileSync(docs, 'utf8').replace(
    /(const valueTypes = `\n)[^`]*`/,
    (_block, start) => `${start}${inLines(valueTypes())}\n\``,
  ),
}

for (const [file, text] of Object.entries(written)) {
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is out of date. Run npm run generate, and commit the file.`)
    process.exitCode = 1
  }
}
