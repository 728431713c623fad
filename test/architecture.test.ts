import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The rooms of `src`, lowest first. A file imports its own room and rooms before it, never a later one. */
const rooms = [
  'generated',
  'kernel',
  'database',
  'http',
  'graphql',
  'modules',
  'schema',
  'rest',
  'config',
  'server',
  'main',
  'cli',
]

/** The modules of `src/modules`, lowest first. The same rule holds among them. */
const modules = [
  'history',
  'events',
  'campaigns',
  'programs',
  'customers',
  'affiliates',
  'access',
  'people',
  'failed-requests',
  'referrals',
  'tracking',
  'payouts',
  'commissions',
  'sales',
  'event-log',
  'webhooks',
  'idempotency',
  'analytics',
  'simulations',
  'exports',
  'imports',
  'personal-data',
  'program-files',
  'doctor',
  'demo',
]

/** What a part of the source may import of the rooms before it, and which packages. Built-ins of Node are `node:…`. */
const parts: { name: string; holds: RegExp; rooms: string[]; files?: RegExp; packages: string[] }[] = [
  {
    name: 'the browser code of pages',
    holds: /^src\/server\/pages\/(dashboard|graphiql|parts|portal|track-script)\/(?!serve\.ts)/,
    rooms: ['generated', 'kernel'],
    // Forms check what is typed with the schemas that the service checks it with.
    files: /^src\/modules\/(.+\/input|events\/types)\.ts$/,
    packages: [
      '@base-ui/react/',
      '@graphiql/react',
      '@tanstack/react-router',
      'chart.js',
      'csv-stringify/',
      'graphiql',
      'graphiql/',
      // GraphiQL's own parser.
      'graphql',
      'react',
      'react-dom',
      'react-dom/',
      'react-hook-form',
      'uqr',
      'urql',
      'wonka',
      'zod',
    ],
  },
  {
    name: 'kernel',
    holds: /^src\/kernel\//,
    rooms: ['generated'],
    packages: ['lru-cache', 'node:crypto', 'node:net', 'node:timers/promises', 'node:url', 'pino', 'uuid', 'zod'],
  },
  {
    name: 'database',
    holds: /^src\/database\//,
    rooms: ['generated'],
    files: /^src\/kernel\/(stored-row|slices)\.ts$/,
    packages: [
      '@electric-sql/',
      '@prisma/',
      'lru-cache',
      'node:',
      'pg',
      'pg-protocol/',
      'pglite-prisma-adapter',
      'pino',
      'tar-stream',
      'zod',
    ],
  },
  { name: 'http', holds: /^src\/http\//, rooms: ['kernel'], packages: ['@whatwg-node/fetch', 'negotiator', 'node:'] },
  {
    name: 'graphql, the kit that knows no noun',
    holds: /^src\/graphql\//,
    rooms: ['generated', 'kernel'],
    packages: ['@graphql-tools/utils', '@pothos/', 'dataloader', 'graphql', 'graphql-scalars', 'lru-cache', 'zod'],
  },
  {
    name: 'the GraphQL of a module',
    holds: /^src\/modules\/.*\/graphql(-[\w-]+)?\.ts$/,
    rooms: ['generated', 'kernel', 'graphql', 'modules'],
    packages: ['zod'],
  },
  {
    name: 'the domain: the other files of a module',
    holds: /^src\/modules\//,
    rooms: ['generated', 'kernel', 'database', 'modules'],
    packages: [
      'better-auth',
      'better-auth/',
      'csv-parse',
      'csv-stringify/sync',
      'free-email-domains',
      'ipaddr.js',
      'jose',
      'lru-cache',
      'node:',
      'pino',
      'tldts',
      'uuid',
      'zod',
    ],
  },
  {
    name: 'schema',
    holds: /^src\/schema\//,
    rooms: ['generated', 'kernel', 'graphql', 'modules'],
    packages: ['@pothos/', 'graphql'],
  },
  {
    name: 'rest',
    holds: /^src\/rest\//,
    rooms: ['generated', 'kernel', 'http', 'graphql', 'modules', 'schema'],
    packages: ['@graphql-tools/utils', 'csv-stringify/sync', 'graphql', 'negotiator', 'node:', 'sofa-api', 'zod'],
  },
  { name: 'config', holds: /^src\/config\.ts$/, rooms: ['kernel', 'database'], packages: ['zod'] },
  {
    name: 'server',
    holds: /^src\/server\//,
    rooms: ['generated', 'kernel', 'database', 'http', 'graphql', 'modules', 'schema', 'rest'],
    packages: [
      '@escape.tech/',
      '@graphql-tools/utils',
      '@graphql-yoga/plugin-persisted-operations',
      '@opentelemetry/',
      'graphql',
      'graphql-yoga',
      'isbot',
      'lru-cache',
      'negotiator',
      'node:',
      'nodemailer',
      'pino',
      'prom-client',
      'rate-limiter-flexible',
    ],
  },
  {
    name: 'the command line',
    holds: /^src\/cli\//,
    rooms: ['kernel', 'database', 'modules', 'rest', 'config', 'main'],
    packages: ['cli-progress', 'commander', 'node:', 'pino'],
  },
  {
    name: 'main',
    holds: /^src\/main\.ts$/,
    rooms: ['kernel', 'database', 'modules', 'config', 'server'],
    packages: ['node:', 'pino'],
  },
]

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file}`)
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('src/generated/'))

const importsOf = (file: string): string[] =>
  [
    ...readFileSync(file, 'utf8').matchAll(/(?:^import\b[^'\n]*|^(?:export\b[^'\n]*|\}) from |\bimport\()'([^']+)'/gm),
  ].map((match) => match[1] as string)

/** Every import of a file of ours by another. */
const edges = files.flatMap((from) =>
  importsOf(from)
    .filter((imported) => imported.startsWith('.'))
    .map((imported) => ({ from, to: normalize(join(dirname(from), imported)) })),
)

const roomOf = (file: string) => (file.split('/')[1] as string).replace(/\.ts$/, '')
const moduleOf = (file: string) => (roomOf(file) === 'modules' ? file.split('/')[2] : undefined)
const partOf = (file: string) => parts.find(({ holds }) => holds.test(file))

const told = ({ from, to }: { from: string; to: string }) => `${from} imports ${to}`

it('every file is in a room, and every module has a place in the order', () => {
  expect(files.filter((file) => !rooms.includes(roomOf(file)) || !partOf(file))).toEqual([])
  expect(readdirSync('src/modules').sort()).toEqual([...modules].sort())
})

it('a room imports only rooms before it', () => {
  const up = edges.filter(({ from, to }) => rooms.indexOf(roomOf(to)) > rooms.indexOf(roomOf(from)))
  expect(up.map(told)).toEqual([])
})

it('a module imports only modules before it', () => {
  const placeOf = (file: string) => modules.indexOf(moduleOf(file) ?? '')
  const up = edges.filter(({ from, to }) => moduleOf(from) && moduleOf(to) && placeOf(to) > placeOf(from))
  expect(up.map(told)).toEqual([])
})

it('no files import each other in a circle', () => {
  let left = edges
  for (let before = Number.POSITIVE_INFINITY; left.length < before; ) {
    before = left.length
    // What imports nothing more, or is imported by nothing more, is part of no circle.
    const [importers, imported] = [new Set(left.map(({ from }) => from)), new Set(left.map(({ to }) => to))]
    left = left.filter(({ from, to }) => importers.has(to) && imported.has(from))
  }
  expect(left.map(told)).toEqual([])
})

describe('imports only what ARCHITECTURE.md allows', () => {
  it.each(parts)('$name', (part) => {
    const own = files.filter((file) => partOf(file) === part)
    const allowed = (name: string) =>
      part.packages.some((known) => name === known || (/[/:]$/.test(known) && name.startsWith(known)))
    const packages = own.flatMap((file) =>
      importsOf(file)
        .filter((imported) => !imported.startsWith('.') && !allowed(imported))
        .map((imported) => `${file} imports ${imported}`),
    )
    const others = edges.filter(
      ({ from, to }) =>
        partOf(from) === part &&
        roomOf(to) !== roomOf(from) &&
        !part.rooms.includes(roomOf(to)) &&
        !part.files?.test(to),
    )
    expect([...packages, ...others.map(told)]).toEqual([])
  })
})

it('the domain knows no GraphQL: only the GraphQL of modules imports it', () => {
  const isGraphql = (file: string) => /\/graphql(-[\w-]+)?\.ts$/.test(file)
  const broken = edges.filter(({ from, to }) => moduleOf(from) && moduleOf(to) && isGraphql(to) && !isGraphql(from))
  expect(broken.map(told)).toEqual([])
})

it('the domain uses only the parts of the database that ARCHITECTURE.md names', () => {
  const broken = edges.filter(
    ({ from, to }) =>
      moduleOf(from) &&
      /^src\/database\/(?!as-program|background|client-until|delete-in-batches|errors|partitions|sql|transaction|within|write)/.test(
        to,
      ),
  )
  expect(broken.map(told)).toEqual([])
})

it('only the start and the command line see the environment, and hand it to the configuration', () => {
  const seen = files.flatMap((file) => readFileSync(file, 'utf8').match(/.*\bprocess\.env\b.*/g) ?? [])
  expect(seen.filter((line) => !line.includes('readConfig(process.env)'))).toEqual([])
})

it('no file is longer than 300 lines, but the texts of the dashboard', () => {
  const others = files.filter((file) => file !== 'src/server/pages/dashboard/texts.ts')
  expect(others.filter((file) => readFileSync(file, 'utf8').split('\n').length > 300)).toEqual([])
})

it('node built-ins are imported by their node: name', () => {
  const bare = files.flatMap((file) => importsOf(file).filter((imported) => builtinModules.includes(imported)))
  expect(bare).toEqual([])
})
