import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

/** The nouns of the documented API, and those beside it that the domain needs. */
const nouns = [
  'affiliate-coupons',
  'affiliate-links',
  'affiliate-tokens',
  'affiliates',
  'analytics',
  'api-keys',
  'campaigns',
  'changes',
  'commissions',
  'conversions',
  'customers',
  'doctor',
  'explanations',
  'exports',
  'imports',
  'listing',
  'money-events',
  'payouts',
  'programs',
  'referrals',
  'refunds',
  'sales',
  'simulations',
  'sso',
  'tracking',
  'unattributed-sales',
]

/** Which part a file belongs to: `resolvers` are the nouns' graphql.ts, `domain` is the rest of the nouns. */
function partOf(file: string): string {
  const [, folder = '', name = ''] = file.split('/')
  if (name === '') return folder.replace('.ts', '')
  if (!nouns.includes(folder)) return folder
  return name === 'graphql.ts' ? 'resolvers' : 'domain'
}

/** The README's table: which part may import which, and which packages. A part may always import itself. */
const rules: Record<string, { parts: string[]; packages: string[] }> = {
  errors: { parts: [], packages: [] },
  ids: { parts: [], packages: ['uuid'] },
  calendar: { parts: [], packages: [] },
  convention: { parts: [], packages: [] },
  context: { parts: ['generated'], packages: ['pino'] },
  lookup: { parts: ['errors', 'ids'], packages: [] },
  money: { parts: [], packages: [] },
  input: { parts: ['errors', 'ids', 'money'], packages: ['zod'] },
  pagination: { parts: ['ids', 'input'], packages: ['zod'] },
  domain: {
    parts: ['calendar', 'context', 'database', 'errors', 'generated', 'ids', 'input', 'lookup', 'money', 'pagination'],
    packages: [
      'csv-parse/sync',
      'csv-stringify/sync',
      'free-email-domains',
      'jose',
      'node:crypto',
      'node:timers/promises',
      'node:url',
      'node:zlib',
      'pino',
      'tldts',
      'zod',
    ],
  },
  graphql: {
    parts: ['context', 'domain', 'errors', 'generated', 'input', 'lookup', 'money', 'pagination', 'resolvers'],
    packages: [
      '@pothos/core',
      'dataloader',
      '@pothos/plugin-complexity',
      '@pothos/plugin-prisma',
      '@pothos/plugin-sub-graph',
      'graphql',
      'graphql-scalars',
      'zod',
    ],
  },
  resolvers: { parts: ['domain', 'graphql'], packages: [] },
  http: { parts: ['errors'], packages: ['node:crypto', 'node:util', 'node:zlib'] },
  rest: {
    parts: ['convention', 'domain', 'errors', 'generated', 'graphql', 'http', 'input'],
    packages: ['@graphql-tools/utils', 'csv-stringify/sync', 'graphql', 'negotiator', 'node:crypto', 'sofa-api', 'zod'],
  },
  'track-script': { parts: [], packages: [] },
  'graphiql-page': {
    parts: ['money'],
    packages: [
      '@graphiql/react',
      'chart.js',
      'csv-stringify/browser/esm/sync',
      'graphiql',
      'graphiql/style.css',
      'react',
      'react-dom',
      'react-dom/client',
    ],
  },
  'portal-page': { parts: ['generated', 'money'], packages: ['react', 'react-dom/client'] },
  importer: {
    parts: ['database', 'domain', 'money', 'rest'],
    packages: ['cli-progress', 'node:crypto', 'node:fs/promises'],
  },
  'demo-shop': { parts: ['context', 'domain', 'errors', 'generated', 'http', 'rest'], packages: ['pino'] },
  docs: {
    parts: ['http', 'rest'],
    packages: ['node:fs/promises', 'node:module', 'node:path'],
  },
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file}`)
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('src/generated/'))

const importsOf = (file: string): string[] =>
  [
    ...readFileSync(file, 'utf8').matchAll(/(?:^import\b[^'\n]*|^(?:export\b[^'\n]*|\}) from |\bimport\()'([^']+)'/gm),
  ].map((match) => match[1] as string)

it.each(Object.keys(rules))('%s imports only what the README allows', (part) => {
  const { parts, packages } = rules[part] as { parts: string[]; packages: string[] }
  const broken = files
    .filter((file) => partOf(file) === part)
    .flatMap((file) =>
      importsOf(file)
        .filter((imported) => {
          if (!imported.startsWith('.')) return !packages.includes(imported)
          const target = partOf(normalize(join(dirname(file), imported)))
          return target !== part && !parts.includes(target)
        })
        .map((imported) => `${file} imports ${imported}`),
    )
  expect(broken).toEqual([])
})

it('the domain uses the database only through Prisma: transactions and the meaning of errors', () => {
  const broken = files
    .filter((file) => partOf(file) === 'domain')
    .flatMap((file) => importsOf(file).filter((imported) => /database\/(?!errors|transaction)/.test(imported)))
  expect(broken).toEqual([])
})

it('only the start and the command line see the environment, and hand it to the configuration', () => {
  const seen = files.flatMap((file) => readFileSync(file, 'utf8').match(/.*\bprocess\.env\b.*/g) ?? [])
  expect(seen.filter((line) => !line.includes('readConfig(process.env)'))).toEqual([])
})

it('every folder of src is known here', () => {
  const known = [...Object.keys(rules), 'cli', 'config', 'database', 'demo', 'log', 'main', 'operator', 'server']
  expect(files.map(partOf).filter((part) => !known.includes(part))).toEqual([])
})

it('no file is longer than 300 lines', () => {
  expect(files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 300)).toEqual([])
})

it('node built-ins are imported by their node: name', () => {
  const bare = files.flatMap((file) => importsOf(file).filter((imported) => builtinModules.includes(imported)))
  expect(bare).toEqual([])
})
