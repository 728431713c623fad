import { spawnSync } from 'node:child_process'
import { accessSync, constants, cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeTemporaryFolder } from '../support/data-directory.ts'

it('says once that it builds, on stderr, where something has to be built', async () => {
  const folder = await makeTemporaryFolder()
  mkdirSync(join(folder, 'src'))
  cpSync('scripts/build.mjs', join(folder, 'scripts/build.mjs'))
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/build.mjs')], { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(stderr.match(/^Building Tributary/gm)).toHaveLength(1)
})

it('says nothing where there is nothing to build, as in an image', async () => {
  const folder = await makeTemporaryFolder()
  cpSync('scripts/build.mjs', join(folder, 'scripts/build.mjs'))
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/build.mjs')], {
    encoding: 'utf8',
  })
  expect([status, stdout, stderr]).toEqual([0, '', ''])
})

it('npx tributary runs a file that exists and is executable', () => {
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(() => accessSync(bin.tributary, constants.X_OK)).not.toThrow()
})
