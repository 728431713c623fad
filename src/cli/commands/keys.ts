import { Command } from 'commander'
import { mutate, programIdOf } from '../mutate.ts'
import { operate } from '../operate.ts'
import { reportResult } from '../report.ts'
import { filled, idOption, oneOf, programOption, withJson } from './options.ts'

const fields =
  'id name access profile words prefix last_four: lastFour created_at: createdAt last_used_at: lastUsedAt revoked_at: revokedAt'

export const keyCommands = (): Command[] => [
  withResponses(withJson(new Command('create-key')))
    .description('create an API key; its secret is shown once')
    .addOption(programOption())
    .requiredOption('--name <name>', 'what the key is for', filled)
    .option('--access <access>', 'READ or FULL; READ cannot change anything (default: FULL)', oneOf('READ', 'FULL'))
    .action((options) => reportResult(options, () => createKeyOf(options))),
  withResponses(withJson(new Command('update-key')))
    .description('change the name of an API key, or the form of its responses')
    .addOption(idOption('the key'))
    .option('--name <name>', 'what the key is for', filled)
    .action(({ json, ...input }) =>
      reportResult({ json }, () => mutate('updateApiKey', `api_key: apiKey { ${fields} }`, input)),
    ),
  withJson(new Command('list-keys'))
    .description('list the API keys of a program, without their secrets')
    .addOption(programOption())
    .action((options) => reportResult(options, () => listKeys(options))),
  withJson(new Command('revoke-key'))
    .description('end an API key; its next request is rejected')
    .addOption(idOption('the key'))
    .action(({ json, id }) =>
      reportResult({ json }, () => mutate('revokeApiKey', `api_key: apiKey { ${fields} }`, { id })),
    ),
]

/** The default is the contract's form in both. */
const withResponses = (command: Command): Command =>
  command
    .option(
      '--profile <profile>',
      'CONTRACT or SUPERSET, which adds the fields of the convention',
      oneOf('CONTRACT', 'SUPERSET'),
    )
    .option(
      '--words <words>',
      'CONTRACT or CONVENTION, for the state names of the convention',
      oneOf('CONTRACT', 'CONVENTION'),
    )

async function createKeyOf({ program, json: _, ...input }: { program: string; json?: boolean }) {
  return createKey(await programIdOf(program), input)
}

export async function createKey(programId: string, input: object) {
  const payload = 'apiKey { id name access profile words } secret'
  const { apiKey, secret } = await mutate<{ apiKey: object; secret: string }>('createApiKey', payload, {
    programId,
    ...input,
  })
  return { api_key: { ...apiKey, secret } }
}

async function listKeys({ program }: { program: string }) {
  const id = await programIdOf(program)
  return operate(`query ($id: ID!) { api_keys: apiKeys(programId: $id) { ${fields} } }`, { id })
}
