import { it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { checkSequences } from './sequences.ts'

const app = await createTestApp()

it(
  'whatever is done in whatever order, the service does what the model says, part 1 of 2',
  { timeout: 1_200_000 },
  () => checkSequences(app, { part: 1, parts: 2 }),
)
