import { it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { checkSequences } from './sequences.ts'

const app = await createTestApp()

it('the service and the model agree after random sequences of commands, part 1 of 2', { timeout: 1_200_000 }, () =>
  checkSequences(app, { part: 1, parts: 2 }),
)
