import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { publicSchema } from '../../src/schema/schema.ts'

const papers = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...['docs', 'bench', 'bench/notes'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
  'examples/affiliate-portal/README.md',
]
const cli = ['src/cli/tributary.ts', ...readdirSync('src/cli/commands').map((name) => `src/cli/commands/${name}`)]
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')
const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading as string))

it('the README has at most 150 lines', () => {
  expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(151)
})

it('ARCHITECTURE.md has at most 9 kB', () => {
  expect(readFileSync('ARCHITECTURE.md').length).toBeLessThanOrEqual(9_000)
})

describe.each(papers)('%s', (paper) => {
  const text = readFileSync(paper, 'utf8')

  it('links only to files and headings that exist', () => {
    const links = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
    const broken = links.filter(([, path, anchor]) => {
      const target = path ? normalize(join(dirname(paper), path)) : paper
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  it('names only files and folders that exist', () => {
    const named = [...text.matchAll(/`((?:src|test|docs|bench|scripts|prisma|examples)\/[\w./-]*\w)`/g)]
    expect(named.map(([, path]) => path as string).filter((path) => !existsSync(path))).toEqual([])
  })

  it('names only npm scripts that exist', () => {
    const run = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name as string)
    expect(run.filter((name) => !scripts.includes(name))).toEqual([])
  })

  it('names only commands that the command line has', () => {
    const named = [...text.matchAll(/(?:npm run (?:--silent )?admin -- |npx tributary )([a-z][a-z-]+)/g)]
    const unknown = named.map(([, name]) => name as string).filter((name) => !cli.includes(`'${name}`))
    expect(unknown).toEqual([])
  })

  it('has no block of commands that leaves a program closed, because the commands after it would fail', () => {
    const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block as string)
    const left = blocks.filter(
      (block) => block.lastIndexOf('tributary close-program') > block.lastIndexOf('tributary open-program'),
    )
    expect(left).toEqual([])
  })

  it('has only GraphQL examples that the schema accepts', () => {
    const examples = [...text.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, code]) => code as string)
    for (const example of examples) expect([example, validate(publicSchema, parse(example))]).toEqual([example, []])
  })
})
