import { readFileSync } from 'node:fs'
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

it('close-program, open-program and replace-webhook-key work through the running server', async () => {
  const DATA_DIR = await makeDataDir()
  const settings = { DATA_DIR, PORT: '', TRIBUTARY_URL: '', ADMIN_TOKEN: '', NODE_ENV: 'production' }
  const server = startChild('src/main.ts', [], { ...settings, PORT: '0', LOG_LEVEL: 'info' })
  await server.ready()
  const tributary = (...args: string[]) => startChild('src/cli/tributary.ts', args, settings).exited
  const create = ['create-program', '--name', 'Acme', '--url', 'https://acme.test', '--currency', 'usd']
  expect(await tributary(...create)).toMatchObject({ code: 0 })
  for (const [command, state] of [
    ['close-program', 'closed to'],
    ['open-program', 'open for'],
  ] as const) {
    const { code, output } = await tributary(command, '--program', 'acme')
    expect([code, output]).toEqual([0, `The program acme is ${state} writes.`])
    const closedAt = state === 'closed to' ? expect.any(String) : null
    expect(
      await operate(JSON.parse(await server.ready()).address, '{ programs { closedAt } }', readToken(DATA_DIR)),
    ).toEqual({
      programs: [{ closedAt }],
    })
  }
  expect(await tributary('replace-webhook-key', '--yes')).toMatchObject({
    code: 0,
    output: expect.stringContaining('the key is not lost'),
  })
})

const readToken = (dataDir: string) => readFileSync(join(dataDir, 'admin-token'), 'utf8').trim()

async function operate(address: string, query: string, token: string): Promise<unknown> {
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return ((await response.json()) as { data: unknown }).data
}

it('a folder without an embedded database leads to DATABASE_URL', async () => {
  const DATA_DIR = await makeTemporaryFolder()
  await writeFile(join(DATA_DIR, 'admin-token'), 'secretsecret')
  const settings = { DATA_DIR, PORT: '', TRIBUTARY_URL: 'http://127.0.0.1:1', ADMIN_TOKEN: '' }
  const commands = [
    ['replace-webhook-key', '--yes'],
    ['backup', join(DATA_DIR, 'file')],
    ['export-program', '--program', 'acme', '--file', join(DATA_DIR, 'file')],
  ]
  for (const args of commands) {
    const { code, output } = await startChild('src/cli/tributary.ts', args, settings).exited
    expect([args[0], code, output]).toEqual([args[0], 1, expect.stringMatching(/set DATABASE_URL as the server/i)])
  }
})
