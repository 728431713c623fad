import { lstat, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findServer } from '../../src/cli/operate.ts'
import { listen, noteAddress } from '../../src/server/operations/listen.ts'
import { makeDataDir, makeTemporaryFolder, startChild } from '../support/data-directory.ts'

it('a command in the server’s data directory finds the server on any port, and its token', async () => {
  const DATA_DIR = await makeDataDir()
  const settings = { DATA_DIR, PORT: '', TRIBUTARY_URL: '', ADMIN_TOKEN: '', NODE_ENV: 'production' }
  const server = startChild('src/main.ts', [], { ...settings, PORT: '0', LOG_LEVEL: 'info' })
  await server.ready()
  const { code, output } = await startChild('src/cli/tributary.ts', ['list-programs'], settings).exited
  expect([code, output]).toEqual([0, expect.stringMatching(/^\{"programs":/)])
})

it('the noted address leads to the server, and to no program on the same port of the other family', async () => {
  const dataDir = await makeTemporaryFolder()
  for (const [host, address] of [
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['::', '[::1]'],
  ] as const) {
    const server = createServer()
    await listen(server, { host, port: 0 })
    await noteAddress(dataDir, server)
    const { port } = server.address() as AddressInfo
    server.close()
    expect(await findServer({ serverUrl: undefined, dataDir })).toBe(`http://${address}:${port}`)
  }
})

it('the noted address is a file of its owner, and what a link leads to stays as it is', async () => {
  const dataDir = await makeTemporaryFolder()
  const [file, other] = [join(dataDir, 'server-address'), join(dataDir, 'other')]
  await writeFile(other, 'other')
  await symlink(other, file)
  const server = createServer()
  await listen(server, { host: '127.0.0.1', port: 0 })
  await noteAddress(dataDir, server)
  server.close()
  expect(await readFile(other, 'utf8')).toBe('other')
  const noted = await lstat(file)
  expect([noted.isFile(), noted.mode & 0o777]).toEqual([true, 0o600])
})

it('the token is sent to no other machine, whatever a file in the folder says', async () => {
  const dataDir = await makeTemporaryFolder()
  for (const noted of [
    'http://attacker.test',
    'http://127.0.0.1@192.0.2.7',
    'http://127.0.0.1.attacker.test',
    '',
    'x',
  ]) {
    await writeFile(join(dataDir, 'server-address'), `${noted}\n`)
    expect(await findServer({ serverUrl: undefined, dataDir })).toBe('http://127.0.0.1:4000')
  }
})
