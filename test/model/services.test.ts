import { it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { startKind, testKinds } from '../support/payout-services.ts'
import { checkServices } from './services.ts'

const kinds = await Promise.all(Object.keys(testKinds).map((id) => startKind(id)))
const app = await createTestApp({
  payoutServiceUrls: Object.fromEntries(kinds.map(({ id, standIn }) => [id, standIn.url])),
})

it.each(kinds.map((kind) => [kind.name, kind] as const))(
  'after random sequences, the money that %s has moved is the money recorded as gone',
  { timeout: 1_200_000 },
  (_name, kind) => checkServices(app, kind),
)
