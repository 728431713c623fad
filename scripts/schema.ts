import { readFileSync, writeFileSync } from 'node:fs'
import { printPublicSchema } from '../src/schema/print.ts'

// Writes schema.graphql. With --check it writes nothing, and fails if the file is out of date.
const file = 'schema.graphql'
const printed = printPublicSchema()

if (!process.argv.includes('--check')) writeFileSync(file, printed)
else if (readFileSync(file, 'utf8') !== printed) {
  console.error(`${file} is out of date. Run npm run generate, and commit the file.`)
  process.exitCode = 1
}
