import { readFileSync, writeFileSync } from 'node:fs'
import { printPublicSchema } from '../src/schema/print.ts'

// Writes schema.graphql; with --check it only says whether the file is what the code makes.
const file = 'schema.graphql'
const printed = printPublicSchema()

if (!process.argv.includes('--check')) writeFileSync(file, printed)
else if (readFileSync(file, 'utf8') !== printed) {
  console.error(`${file} is not what the code makes. Run npm run generate and commit it.`)
  process.exitCode = 1
}
