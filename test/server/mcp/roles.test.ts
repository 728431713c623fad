import { expect, it } from 'vitest'
import { toolNames } from '../../../src/server/mcp/names.ts'
import { createTestApp } from '../../support/app.ts'
import { connect, examplesOfTools } from '../../support/assistants.ts'
import { createClient } from '../../support/connected-apps.ts'
import { addMember, setUpOperator } from '../../support/people.ts'

// Each tool is called by each kind of caller: people of each role, keys, and affiliates.

const test = await createTestApp()
const olga = await setUpOperator(test)
const { program, token, ofProgram, ofAffiliate } = await examplesOfTools(test)
const client = createClient(test)

async function personOf(role: string): Promise<string> {
  const person = await addMember(test, olga, program.id, { email: `${role.toLowerCase()}@acme.test`, role })
  return (await client.connectAs(person, program.id)).accessToken
}

async function readingKey(): Promise<string> {
  const { createApiKey } = await test.operator(
    'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Reads", access: READ }) { secret } }',
    { id: program.id },
  )
  return createApiKey.secret
}

const examples: Record<string, object> = { ...ofProgram, ...ofAffiliate, doctor: {} }
const ownTools = Object.keys(ofProgram)
const reading = ownTools.filter((name) => name !== 'propose')

it.each([
  ['an owner', () => personOf('OWNER'), ownTools],
  ['a manager', () => personOf('MANAGER'), ownTools],
  ['finance', () => personOf('FINANCE'), reading],
  ['an analyst', () => personOf('ANALYST'), reading],
  ['a key', async () => program.secret, ownTools],
  ['a key that reads', readingKey, reading],
  ['an affiliate', async () => token, Object.keys(ofAffiliate)],
])('%s calls each tool that its rights allow, and no other', async (_name, secretOf, allowed) => {
  const { call } = await connect({ test, secret: await secretOf() })
  const works: string[] = []
  for (const name of toolNames) {
    const isDone = await call(name, examples[name]).then(
      () => true,
      () => false,
    )
    if (isDone) works.push(name)
  }
  expect(works.sort()).toEqual(allowed.toSorted())
})
