import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (file: string) => readFileSync(file, 'utf8')
/** The papers for operators. */
const operating = ['operating', 'backups'].map((name) => read(`docs/${name}.md`)).join('\n')
const documented = [...read('docs/configuration.md').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(
  ([, name]) => name as string,
)
const setByImage = [...(/^ENV (.+)$/m.exec(read('Dockerfile'))?.[1] ?? '').matchAll(/(\w+)=/g)].map(([, name]) => name)

it('docs/configuration.md has every variable that the configuration reads', () => {
  const source = read('src/config/environment.ts')
  const settings = [...source.matchAll(/^ {2}([A-Z][A-Z0-9_]+): setting\(/gm)].map(([, name]) => name as string)
  expect(settings.length).toBeGreaterThan(10)
  expect(documented.toSorted()).toEqual(settings.toSorted())
})

it('compose.yaml passes every documented setting on, but those that the image sets', () => {
  expect(setByImage).toEqual(['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR'])
  const environment = /\n {2}tributary:\n[\s\S]*? environment:\n([\s\S]*?)\n {4}volumes:/.exec(
    read('compose.yaml'),
  )?.[1]
  const passed = [...(environment ?? '').matchAll(/^ {6}([A-Z0-9_]+): (.*)$/gm)]
  const names = passed.map(([, name]) => name as string)
  expect(names.toSorted()).toEqual(documented.filter((name) => !setByImage.includes(name)).toSorted())
  for (const [, name, value] of passed)
    if (name !== 'DATABASE_URL') expect(value).toMatch(new RegExp(`^\\$\\{${name}(:-|:\\?[\\w ]+)\\}$`))
})

it('the commands of the container recipes exist', () => {
  const entry =
    read('src/cli/run.ts') +
    ['database', 'programs', 'keys', 'import', 'move'].map((name) => read(`src/cli/commands/${name}.ts`)).join('\n')
  const used = [...operating.matchAll(/\btributary tributary ([a-z-]+)/g)].map(([, name]) => name as string)
  expect(new Set(used)).toEqual(new Set(['list-programs', 'backup', 'restore', 'doctor', 'import', 'move']))
  for (const name of used) expect(entry).toContain(`new Command('${name}')`)
  expect(read('Dockerfile')).toContain('npm install --global --offline')
})
