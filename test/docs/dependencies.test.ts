import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>
const [, section = ''] = readFileSync('ARCHITECTURE.md', 'utf8').split('\n## Dependencies\n')
const tables = section.split('\n\n').filter((part) => part.startsWith('|'))
const namesIn = (table = '') => [...table.matchAll(/^\| `([^`]+)` \| \S.* \|$/gm)].map(([, name]) => name)

it('the tables name each direct dependency with its reason', () => {
  const isDescribed = (name: string) => !name.startsWith('@types/')
  expect(namesIn(tables[0])).toEqual(Object.keys(dependencies))
  expect(namesIn(tables[1])).toEqual(Object.keys(devDependencies).filter(isDescribed))
})

it('versions are exact', () => {
  for (const version of Object.values({ ...dependencies, ...devDependencies }))
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
})
