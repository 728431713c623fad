import { restClient, type TestApp, type TestProgram } from '../../support/app.ts'

const mutation = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret apiKey { id } } }`

export type Words = 'contract' | 'convention'

/** A key of the program with the superset profile, and a client that holds it. */
export async function createSupersetKey(test: TestApp, program: Pick<TestProgram, 'id'>, words: Words = 'contract') {
  const input = { programId: program.id, name: 'Superset', profile: 'SUPERSET', words: words.toUpperCase() }
  const { createApiKey } = await test.operator(mutation, { input })
  const secret: string = createApiKey.secret
  return {
    id: createApiKey.apiKey.id as string,
    secret,
    ...restClient(test.app.fetch, { Authorization: `Bearer ${secret}` }),
  }
}
