import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const { dependencies, devDependencies, bundleDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  bundleDependencies: string[]
}
const named = [...readFileSync('docs/dependencies.md', 'utf8').matchAll(/^\| `([^`]+)` \|.*\S \|$/gm)].map(
  ([, name]) => name,
)

it('docs/dependencies.md names each direct dependency with its reason', () => {
  const isDescribed = (name: string) => !name.startsWith('@types/')
  const described = Object.keys({ ...dependencies, ...devDependencies }).filter(isDescribed)
  expect(named.toSorted()).toEqual(described.toSorted())
})

it('the package that npm pack makes has all its dependencies, and none has an install script', () => {
  expect(bundleDependencies.toSorted()).toEqual(Object.keys(dependencies).toSorted())
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean; hasInstallScript?: boolean }>
  }
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path && !dev)
  expect(shipped.length).toBeGreaterThan(bundleDependencies.length)
  expect(shipped.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([])
})

it('versions are exact', () => {
  for (const version of Object.values({ ...dependencies, ...devDependencies }))
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
})
