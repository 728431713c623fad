import { parseArgs } from 'node:util'
import { OperatorError } from '../database/operator-error.ts'
import { operate } from './operate.ts'
import { report } from './report.ts'

const usage = `Usage: npm run --silent admin -- COMMAND

  create-program --name NAME --url URL --currency CODE [--commission-percent N]
                                  a program, its default campaign and a first API key
  list-programs
  create-key --program ID --name NAME
  list-keys --program ID
  revoke-key --id ID

It speaks to the running server at TRIBUTARY_URL (default http://127.0.0.1:PORT) with ADMIN_TOKEN, or with the token
in DATA_DIR (default ./data). Secrets are shown once.`

type Options = Record<string, string | undefined>

const program = 'id name url currency created_at: createdAt'
const key = 'id name prefix last_four: lastFour created_at: createdAt last_used_at: lastUsedAt revoked_at: revokedAt'

const commands: Record<string, (options: Options) => Promise<unknown>> = {
  'create-program': async (options) => {
    const made = await operate<{ program: { id: string } }>(
      `mutation ($name: String!, $url: String!, $currency: String!, $commissionPercent: Float) {
        program: createProgram(name: $name, url: $url, currency: $currency, commissionPercent: $commissionPercent) { ${program} }
      }`,
      {
        name: need(options, 'name'),
        url: need(options, 'url'),
        currency: need(options, 'currency'),
        commissionPercent: numberOf(options, 'commission-percent'),
      },
    )
    return { program: made.program, ...(await createKey(made.program.id, 'First key')) }
  },
  'list-programs': () => operate(`{ programs { ${program} } }`),
  'create-key': (options) => createKey(need(options, 'program'), need(options, 'name')),
  'list-keys': (options) =>
    operate(`query ($id: ID!) { api_keys: apiKeys(programId: $id) { ${key} } }`, { id: need(options, 'program') }),
  'revoke-key': (options) =>
    operate(`mutation ($id: ID!) { api_key: revokeApiKey(id: $id) { ${key} } }`, { id: need(options, 'id') }),
}

async function createKey(programId: string, name: string) {
  const { created } = await operate<{ created: { apiKey: object; secret: string } }>(
    `mutation ($programId: ID!, $name: String!) {
      created: createApiKey(programId: $programId, name: $name) { apiKey { id name } secret }
    }`,
    { programId, name },
  )
  return { api_key: { ...created.apiKey, secret: created.secret } }
}

function need(options: Options, name: string): string {
  const value = options[name]
  if (!value?.trim()) throw new OperatorError(`--${name} is missing.\n\n${usage}`)
  return value
}

/** What is no number must not get lost on the way: JSON has no NaN, and the default would be taken. */
function numberOf(options: Options, name: string): number | undefined {
  const value = options[name]
  if (value === undefined) return undefined
  if (!value.trim() || !Number.isFinite(Number(value))) throw new OperatorError(`--${name} must be a number.`)
  return Number(value)
}

await report(async () => {
  const option = { type: 'string' } as const
  const { positionals, values } = readArguments({
    name: option,
    url: option,
    currency: option,
    program: option,
    id: option,
    'commission-percent': option,
  })
  const command = commands[positionals[0] ?? '']
  if (!command || positionals.length > 1) throw new OperatorError(usage)
  return JSON.stringify(await command(values))
})

function readArguments<T extends Record<string, { type: 'string' }>>(options: T) {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n${usage}`)
  }
}
