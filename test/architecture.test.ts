import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from '../src/kernel/languages.ts'
import { addressedMethods, payoutMethods } from '../src/modules/payout-methods/addresses.ts'

const architecture = readFileSync('ARCHITECTURE.md', 'utf8')

/** The words in backticks. */
const quoted = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word as string)

const sectionOf = (title: string) => architecture.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(1, -1).split('|'))

/** The files of the rows that are a part of a room. */
const partsOfRooms: Record<string, RegExp> = {
  'modules/**/graphql*': /^src\/modules\/.*\/graphql(-[\w-]+)?\.ts$/,
}

/** The table of rooms, lowest first. */
const table = rowsOf(sectionOf('Rooms')).map(([name, , mayImport]) => ({
  name: quoted(name)[0] as string,
  mayImport: quoted(mayImport),
}))
const rooms = table.map(({ name }) => name).filter((name) => !partsOfRooms[name])

/** The modules of `src/modules`, lowest first. */
const modules = quoted(sectionOf('Modules').split('\n\n')[1])

/** The packages that the rooms import. */
const packages = rowsOf(readFileSync('docs/dependencies.md', 'utf8')).map((cells) => ({
  name: quoted(cells[0])[0] as string,
  importedBy: cells.length > 2 ? quoted(cells[1]) : [],
}))

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file}`)
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('src/generated/'))

const importsByFile = new Map(
  files.map((file) => {
    const imports = /(?:^import\b[^'\n]*|^(?:export\b[^'\n]*|\}) from |\bimport\()'([^']+)'/gm
    return [file, [...readFileSync(file, 'utf8').matchAll(imports)].map((match) => match[1] as string)] as const
  }),
)
const importsOf = (file: string): readonly string[] => importsByFile.get(file) ?? []

/** The package that verifies statements: see clients/verifier. */
const verifier = 'clients/verifier/src/index.ts'

/** Every import of a file of ours by another, but of the verifier. */
const edges = files.flatMap((from) =>
  importsOf(from)
    .filter((imported) => imported.startsWith('.'))
    .map((imported) => ({ from, to: normalize(join(dirname(from), imported)) }))
    .filter(({ to }) => to !== verifier),
)

const roomOf = (file: string) => (file.split('/')[1] as string).replace(/\.ts$/, '')
const moduleOf = (file: string) => (roomOf(file) === 'modules' ? file.split('/')[2] : undefined)
/** The row of the table that a file belongs to. */
const rowOf = (file: string) => Object.keys(partsOfRooms).find((name) => partsOfRooms[name]?.test(file)) ?? roomOf(file)

/** Whether a name of the table is a file, or a folder that has it. `*` is a part of a name, `**` any folders. */
const holds = (name: string, file: string) => {
  const pattern = name.replaceAll('**/', '(.+/)?').replaceAll('*', '[^/]*')
  return new RegExp(`^src/${pattern}(\\.tsx?|/.*)?$`).test(file)
}

const described = ({ from, to }: { from: string; to: string }) => `${from} imports ${to}`

describe('the table of rooms in ARCHITECTURE.md', () => {
  it('has every room of `src`, in one order', () => {
    expect(new Set(files.map(roomOf))).toEqual(new Set(rooms.filter((room) => room !== 'generated')))
    const later = table.flatMap(({ name, mayImport }) => {
      const place = rooms.indexOf(name.split('/')[0] as string)
      const named = mayImport.filter((one) => !one.startsWith('node:'))
      return named.filter((one) => {
        const other = rooms.indexOf(one.split('/')[0] as string)
        return other === -1 || other > place
      })
    })
    expect(later).toEqual([])
  })

  it.each(table)('says what $name imports of other rooms', ({ name, mayImport }) => {
    const own = edges.filter(({ from }) => rowOf(from) === name)
    const others = own.filter(({ to }) => rowOf(to) !== name && !mayImport.some((one) => holds(one, to)))
    expect(others.map(described)).toEqual([])
  })

  it.each(table)('says which modules of Node.js $name imports', ({ name, mayImport }) => {
    if (mayImport.includes('node:*')) return
    const imported = files.filter((file) => rowOf(file) === name).flatMap(importsOf)
    const builtIn = new Set(imported.filter((one) => one.startsWith('node:')))
    expect([...builtIn].sort()).toEqual(mayImport.filter((one) => one.startsWith('node:')).sort())
  })
})

it('the verifier of statements imports nothing of the service, and only the command line imports it', () => {
  const own = readdirSync('clients/verifier', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/node_modules|dist/.test(file))
    .flatMap((file) => [
      ...readFileSync(`clients/verifier/${file}`, 'utf8').matchAll(/^(?:import|export)\b[^\n]* from '([^']+)'/gm),
    ])
    .map((match) => match[1] as string)
  expect(own.length).toBeGreaterThan(5)
  expect(own.filter((imported) => !/^(\.\/[\w-]+|\.\.\/src\/index)\.ts$/.test(imported))).toEqual([])
  const importers = files.filter((file) => importsOf(file).some((one) => one.includes('clients/')))
  expect(importers).toEqual(['src/cli/commands/statements.ts'])
})

it('docs/dependencies.md says which rooms import each package', () => {
  const importers = (name: string) =>
    new Set(files.filter((file) => importsOf(file).some((one) => `${one}/`.startsWith(`${name}/`))).map(rowOf))
  for (const { name, importedBy } of packages)
    expect.soft({ name, importedBy: importers(name) }).toEqual({ name, importedBy: new Set(importedBy) })
  const known = (imported: string) => packages.some(({ name }) => `${imported}/`.startsWith(`${name}/`))
  const unknown = files.flatMap(importsOf).filter((one) => !/^(\.|node:)/.test(one) && !known(one))
  expect(unknown).toEqual([])
})

describe('the modules in ARCHITECTURE.md', () => {
  it('are those of `src/modules`', () => {
    expect(readdirSync('src/modules').sort()).toEqual([...modules].sort())
  })

  it('import only modules before them', () => {
    const placeOf = (file: string) => modules.indexOf(moduleOf(file) ?? '')
    const up = edges.filter(({ from, to }) => moduleOf(from) && moduleOf(to) && placeOf(to) > placeOf(from))
    expect(up.map(described)).toEqual([])
  })
})

it('no files import each other in a circle', () => {
  let left = edges
  for (let before = Number.POSITIVE_INFINITY; left.length < before; ) {
    before = left.length
    // A file that imports no other, or is imported by no other, is in no circle.
    const [importers, imported] = [new Set(left.map(({ from }) => from)), new Set(left.map(({ to }) => to))]
    left = left.filter(({ from, to }) => importers.has(to) && imported.has(from))
  }
  expect(left.map(described)).toEqual([])
})

it('no two folders import each other, unless one is in the other', () => {
  const isIn = (one: string, other: string) => `${one}/`.startsWith(`${other}/`)
  const arrows = new Set(
    edges
      .map(({ from, to }) => [dirname(from), dirname(to)] as const)
      .filter(([from, to]) => !isIn(from, to) && !isIn(to, from) && !isIn(to, 'src/generated'))
      .map((pair) => pair.join(' and ')),
  )
  const reversed = (arrow: string) => arrow.split(' and ').reverse().join(' and ')
  expect([...arrows].filter((arrow) => arrows.has(reversed(arrow))).sort()).toEqual([])
})

it('only the start and the command line read the environment, and pass it to the configuration', () => {
  const seen = files.flatMap((file) => readFileSync(file, 'utf8').match(/.*\bprocess\.env\b.*/g) ?? [])
  expect(seen.filter((line) => !line.includes('readConfig(process.env)'))).toEqual([])
})

describe('a file', () => {
  const sources = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  const filesWhere = (isWrong: (text: string) => boolean) =>
    sources.filter(({ text }) => isWrong(text)).map(({ file }) => file)

  // What a page says in a language is one list.
  it('has at most 300 lines, except the texts of a language', () => {
    const long = filesWhere((text) => text.split('\n').length > 301)
    expect(long.filter((file) => !/^src\/texts\/[a-z]{2}\/[a-z-]+\.ts$/.test(file))).toEqual([])
  })

  // PostgreSQL can run a subquery of IN again for each row, and locks other rows each time.
  it('locks the first rows of a table in a CTE, not in a subquery of IN', () => {
    const locking = /\bin \(\s*select[^`]*?\blimit\b[^`]*?\bfor (?:no key )?update\b/i
    expect(filesWhere((text) => locking.test(text))).toEqual([])
  })

  // What is imported on demand, such as the views of the dashboard, does not count.
  it('imports at most 25 others', () => {
    expect(filesWhere((text) => [...text.matchAll(/^(import\b.*|\} from )'/gm)].length > 25)).toEqual([])
  })

  // Biome breaks code into lines of 120 characters. A text in quotes may be longer, and is found whole.
  it('has comments in lines of at most 120 characters', () => {
    const isLong = (line: string) => line.length > 120 && /^\s*(\/\*\*|\*|\/\/) /.test(line)
    const long = sources.flatMap(({ file, text }) =>
      text.split('\n').flatMap((line, index) => (isLong(line) ? [`${file}:${index + 1}`] : [])),
    )
    expect(long).toEqual([])
  })

  it('spreads no literal object: its fields can be written in the object around it', () => {
    expect(filesWhere((text) => /\.\.\.\{/.test(text))).toEqual([])
  })
})

/** The dashboard is in English alone. */
const inEnglish = ['parts.ts', 'why-of-staff.ts']

it('a language is a folder with the files that English has', () => {
  const filesOf = (language: string) => readdirSync(`src/texts/${language}`).filter((name) => !inEnglish.includes(name))
  const folders = readdirSync('src/texts', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual([...languages].sort())
  for (const language of languages) expect(filesOf(language).sort()).toEqual(filesOf('en').sort())
})

it('no code outside the folder of a language depends on its name', () => {
  const codes = languages.join('|')
  const branch = new RegExp(`(?:=== |!== |case |\\?\\? |\\|\\| )'(?:${codes})'|^ *(?:${codes}): `, 'm')
  const outside = files.filter((file) => !/^src\/(texts\/|kernel\/languages\.ts)/.test(file))
  expect(outside.filter((file) => branch.test(readFileSync(file, 'utf8')))).toEqual([])
})

it('no code outside `payout-methods` depends on the name of a payout method', () => {
  const names = payoutMethods.join('|')
  const branch = new RegExp(`(?:method\\)? [!=]== |case )'(?:${names})'`, 'im')
  // `generic` and `manual` are also names of other kinds.
  const addressed = addressedMethods.map(({ method }) => method).join('|')
  const list = new RegExp(
    `(?:[!=]== |case |\\?\\? |\\|\\| |\\[|, )'(?:${addressed})'|(?:^ *|\\{ )(?:${addressed}): `,
    'im',
  )
  const own = /^src\/(texts|modules\/payout-methods|pages\/dashboard\/texts|cli\/import\/exports|cli\/stand-ins)\//
  const outside = files.filter((file) => !own.test(file)).map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  expect(outside.filter(({ text }) => branch.test(text) || list.test(text)).map(({ file }) => file)).toEqual([])
})

it('modules of Node.js are imported by their node: name', () => {
  const bare = files.flatMap((file) => importsOf(file).filter((imported) => builtinModules.includes(imported)))
  expect(bare).toEqual([])
})
