import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import satisfies from 'spdx-satisfies'

// npx tsx scripts/licenses.ts [--check]: writes NOTICE, which lists what the package of `npm pack` contains,
// dist/third-party-licenses.txt with the text of each license, and dist/sbom.cdx.json with the versions (CycloneDX).
// Fails if a license is not in `allowed`. With --check, it compares NOTICE instead of writing it. Needs a build, which
// notes what each bundle contains.

/** Licenses that ask for their text and the names of the authors, and for nothing of the code around them. */
const allowed = [
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0'],
  ...['OFL-1.1', 'PostgreSQL', 'Unlicense'],
]

/** What two packages say in words, or not in their package.json: as SPDX expressions, read in their license files. */
const spdxOf: Record<string, string> = {
  'MIT and ISC': 'MIT AND ISC',
  'MIT or MPL-2.0': 'MIT OR MPL-2.0',
}

/** Of a package that says none in its package.json: as its file LICENSE says. */
const unnamed: Record<string, string> = { 'png-js': 'MIT' }

type Manifest = { name: string; version: string; license?: string; dependencies?: Record<string, string> }
type Package = { folder: string; name: string; version: string; license: string }

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

function packageIn(folder: string): Package {
  const { name, version, license } = manifestOf(folder)
  const words = license ?? unnamed[name] ?? 'unknown'
  return { folder, name, version, license: spdxOf[words] ?? words }
}

/** The folder in which a package finds another one. */
function findPackage(from: string, name: string): string {
  const paths = createRequire(join(process.cwd(), from, 'package.json')).resolve.paths(name) ?? []
  const found = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')))
  if (!found) throw new Error(`${from} needs ${name}, which is not installed. Run npm ci.`)
  return found
}

/** A package with all that it needs. */
function closureOf(folder: string, seen = new Set<string>()): Set<string> {
  if (seen.has(folder)) return seen
  seen.add(folder)
  for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) closureOf(findPackage(folder, name), seen)
  return seen
}

/** Packages that are copied into the package, or into a text of it: the program that evaluates mappings. */
const copied = ['swagger-ui-dist', 'jsonata', '@fontsource/noto-sans', '@fontsource/noto-sans-jp'].map(
  (name) => `node_modules/${name}`,
)

/** All packages whose code the package of `npm pack` contains: bundled, copied, or beside the bundle. */
function shippedPackages(): Package[] {
  const noted = 'dist/bundled-packages'
  if (!existsSync(noted)) throw new Error('Build first: npm run build')
  const bundled = readdirSync(noted).flatMap((file) => JSON.parse(readFileSync(join(noted, file), 'utf8')) as string[])
  const { bundleDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { bundleDependencies: string[] }
  const beside = bundleDependencies.flatMap((name) => [...closureOf(findPackage('.', name))])
  const folders = new Set([...bundled, ...beside, ...copied].map((folder) => join(folder)))
  const byName = new Map([...folders].map(packageIn).map((one) => [`${one.name} ${one.version}`, one]))
  const nameOf = ({ name, version }: Package) => `${name} ${version}`
  return [...byName.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

export const isAllowed = (license: string): boolean => {
  try {
    return satisfies(license, allowed)
  } catch {
    return false
  }
}

const notice = (packages: readonly Package[]): string => `Tributary
Copyright 2026 the authors of Tributary

Licensed under the Apache License, Version 2.0: see LICENSE.

The package contains code of these packages, under their own licenses. Their texts are in
dist/third-party-licenses.txt of the package. \`npx tsx scripts/licenses.ts\` writes both files.

${packages.map(({ name, license }) => `${name}: ${license}`).join('\n')}
`

type Bill = { components: { name: string; version: string }[] }

/** What npm knows of the packages, without those that only build and test. */
function billOf(packages: readonly Package[]): string {
  const printed = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  if (printed.status !== 0) throw new Error(`npm sbom failed: ${printed.stderr}`)
  const bill = JSON.parse(printed.stdout) as Bill
  const shipped = new Set(packages.map(({ name, version }) => `${name} ${version}`))
  const components = bill.components.filter(({ name, version }) => shipped.has(`${name} ${version}`))
  return JSON.stringify({ ...bill, components, dependencies: undefined }, null, 2)
}

const licenseFile = /^(licen[cs]e|copying|notice)/i

function textsOf({ folder, name, version, license }: Package): string {
  const files = readdirSync(folder).filter((file) => licenseFile.test(basename(file)))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}

function main(isCheck: boolean): void {
  const packages = shippedPackages()
  const refused = packages.filter(({ license }) => !isAllowed(license))
  if (refused.length > 0) {
    const lines = refused.map(({ name, version, license }) => `  ${name} ${version}: ${license}`)
    throw new Error(`Packages with licenses that are not allowed. Replace them:\n${lines.join('\n')}`)
  }
  const text = notice(packages)
  if (isCheck && text !== readFileSync('NOTICE', 'utf8'))
    throw new Error('NOTICE is outdated. Run npx tsx scripts/licenses.ts after npm run build.')
  if (!isCheck) writeFileSync('NOTICE', text)
  const rule = `\n\n${'-'.repeat(80)}\n\n`
  writeFileSync('dist/third-party-licenses.txt', packages.map(textsOf).join(rule))
  writeFileSync('dist/sbom.cdx.json', billOf(packages))
  console.log(`The package contains ${packages.length} packages, all under permissive licenses.`)
}

if (process.argv[1]?.endsWith('licenses.ts')) main(process.argv.includes('--check'))
