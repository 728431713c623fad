import { parseArgs } from 'node:util'
import { OperatorError } from '../database/operator-error.ts'
import { operate } from './operate.ts'
import { report } from './report.ts'

const usage = `Usage: npm run --silent admin -- COMMAND

  create-program --name NAME --url URL --currency CODE [--commission-percent N] [--slug SLUG] [--sandbox]
                                  creates a program with its default campaign and a first API key
  rotate-publishable-key --program ID [--keep-old-for-hours N]
                                  creates a new publishable key; the previous key expires after N hours (default 24)
  list-programs
  create-key --program ID --name NAME [--access READ|FULL] [--profile CONTRACT|SUPERSET] [--words CONTRACT|CONVENTION]
                                  creates an API key, by default with FULL access; READ cannot change anything.
                                  SUPERSET adds the fields of the convention to responses, CONVENTION its state names
  update-key --id ID [--name NAME] [--profile CONTRACT|SUPERSET] [--words CONTRACT|CONVENTION]
  list-keys --program ID
  revoke-key --id ID
  advance-clock --program ID --days N
                                  moves the clock of a sandbox: commissions become due, referrals expire

The command sends requests to the running server at TRIBUTARY_URL (default http://127.0.0.1:PORT) with ADMIN_TOKEN, or
with the token in DATA_DIR (default ./data). Secrets are shown once.`

type Options = Record<string, string | boolean | undefined>

const program = 'id name url currency slug publishable_key: publishableKey sandbox clock created_at: createdAt'
const key =
  'id name access profile words prefix last_four: lastFour created_at: createdAt last_used_at: lastUsedAt revoked_at: revokedAt'

const commands: Record<string, (options: Options) => Promise<unknown>> = {
  'create-program': async (options) => {
    const created = await change<{ program: { id: string } }>('createProgram', `program { ${program} }`, {
      name: need(options, 'name'),
      url: need(options, 'url'),
      currency: need(options, 'currency'),
      commissionPercent: numberOf(options, 'commission-percent'),
      slug: options.slug,
      sandbox: options.sandbox === true,
    })
    return { ...created, ...(await createKey(created.program.id, { name: 'First key' })) }
  },
  'rotate-publishable-key': (options) =>
    change(
      'rotatePublishableKey',
      `program { ${program} previous_publishable_key_ends_at: previousPublishableKeyEndsAt }`,
      {
        programId: need(options, 'program'),
        keepOldForHours: numberOf(options, 'keep-old-for-hours'),
      },
    ),
  'list-programs': () => operate(`{ programs { ${program} } }`),
  'create-key': (options) =>
    createKey(need(options, 'program'), {
      name: need(options, 'name'),
      access: choiceOf(options, 'access', ['READ', 'FULL']),
      ...responseOptions(options),
    }),
  'update-key': (options) =>
    change('updateApiKey', `api_key: apiKey { ${key} }`, {
      id: need(options, 'id'),
      name: options.name,
      ...responseOptions(options),
    }),
  'list-keys': (options) =>
    operate(`query ($id: ID!) { api_keys: apiKeys(programId: $id) { ${key} } }`, { id: need(options, 'program') }),
  'revoke-key': (options) => change('revokeApiKey', `api_key: apiKey { ${key} }`, { id: need(options, 'id') }),
  'advance-clock': (options) =>
    change('advanceClock', `program { ${program} }`, {
      programId: need(options, 'program'),
      days: need(options, 'days') && numberOf(options, 'days'),
    }),
}

/** Runs a mutation, and returns these fields of its payload. */
async function change<T>(mutation: string, fields: string, input: object): Promise<T> {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`
  const query = `mutation ($input: ${type}!) { payload: ${mutation}(input: $input) { ${fields} } }`
  return (await operate<{ payload: T }>(query, { input })).payload
}

async function createKey(programId: string, input: object) {
  const fields = 'apiKey { id name access profile words } secret'
  const { apiKey, secret } = await change<{ apiKey: object; secret: string }>('createApiKey', fields, {
    programId,
    ...input,
  })
  return { api_key: { ...apiKey, secret } }
}

/** Reads an option with fixed values. An unknown value is rejected: a mistyped READ must not create a key with FULL access. */
function choiceOf(options: Options, name: string, words: readonly string[]): string | undefined {
  const given = options[name]
  if (given === undefined) return undefined
  const word = String(given).trim().toUpperCase()
  if (!words.includes(word)) throw new OperatorError(`--${name} must be ${words.join(' or ')}.`)
  return word
}

const responseOptions = (options: Options) => ({
  profile: choiceOf(options, 'profile', ['CONTRACT', 'SUPERSET']),
  words: choiceOf(options, 'words', ['CONTRACT', 'CONVENTION']),
})

function need(options: Options, name: string): string {
  const value = options[name]
  if (typeof value !== 'string' || !value.trim()) throw new OperatorError(`--${name} is missing.\n\n${usage}`)
  return value
}

/** Reads a number. JSON would turn NaN into null, and the default would be used. */
function numberOf(options: Options, name: string): number | undefined {
  const value = options[name]
  if (value === undefined) return undefined
  if (!String(value).trim() || !Number.isFinite(Number(value))) throw new OperatorError(`--${name} must be a number.`)
  return Number(value)
}

await report(async () => {
  const option = { type: 'string' } as const
  const { positionals, values } = readArguments({
    name: option,
    access: option,
    profile: option,
    words: option,
    url: option,
    currency: option,
    program: option,
    id: option,
    slug: option,
    'commission-percent': option,
    'keep-old-for-hours': option,
    days: option,
    sandbox: { type: 'boolean' },
  })
  const command = commands[positionals[0] ?? '']
  if (!command || positionals.length > 1) throw new OperatorError(usage)
  return JSON.stringify(await command(values))
})

function readArguments<T extends Record<string, { type: 'string' | 'boolean' }>>(options: T) {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n${usage}`)
  }
}
