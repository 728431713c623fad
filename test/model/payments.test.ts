import { it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { checkPayments } from './payments.ts'

const app = await createTestApp()

it(
  'after random sequences, the money that left by the reports is the money recorded as gone, and no balance is unexplained',
  {
    timeout: 1_200_000,
  },
  () => checkPayments(app),
)
