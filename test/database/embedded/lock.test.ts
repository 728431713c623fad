import { mkdir, readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callOwner, lockDirectory } from '../../../src/database/lock.ts'
import { makeTemporaryFolder, startChild } from '../../support/data-directory.ts'

const ignore = () => {}

test('exactly one of many concurrent calls gets the lock', async () => {
  const folder = await makeTemporaryFolder()
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(folder, ignore)))
  const locks = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  expect(locks).toHaveLength(1)
  await locks[0]?.value.release()
  expect(await readdir(folder)).toEqual([])
})

test('exactly one of several concurrent processes takes over the lock of a killed one', async () => {
  const folder = await makeTemporaryFolder()
  const killed = startChild('test/support/locker.ts', [folder])
  await killed.waitFor('locked')
  killed.process.kill('SIGKILL')
  await killed.exited
  expect(await readdir(folder)).toHaveLength(1)
  const children = Array.from({ length: 5 }, () => startChild('test/support/locker.ts', [folder]))
  const outputs = await Promise.all(children.map((child) => child.waitFor('')))
  expect(outputs.filter((output) => output === 'locked')).toHaveLength(1)
  expect(outputs.filter((output) => output.startsWith('Another process uses'))).toHaveLength(4)
})

test('a released lock can be acquired again', async () => {
  const folder = await makeTemporaryFolder()
  await (await lockDirectory(folder, ignore)).release()
  const lock = await lockDirectory(folder, ignore)
  await lock.release()
})

test('a directory whose path is too long for a Unix socket can be locked', async () => {
  const folder = join(await makeTemporaryFolder(), 'a'.repeat(120), 'b'.repeat(120))
  await mkdir(folder, { recursive: true })
  const lock = await lockDirectory(folder, ignore)
  await expect(lockDirectory(folder, ignore)).rejects.toThrow('Another process uses')
  expect(await readdir(folder)).toHaveLength(1)
  await lock.release()
  expect(await readdir(folder)).toEqual([])
})

test('the owner of a lock responds to a command, and a released lock has no owner', async () => {
  const folder = await makeTemporaryFolder()
  const lock = await lockDirectory(folder, (command, socket) => socket.end(`received ${command}`))
  const socket = await callOwner(folder)
  const response = new Promise((done) => socket?.once('data', (data) => done(data.toString())))
  socket?.write('hello\n')
  expect(await response).toBe('received hello')
  await lock.release()
  expect(await callOwner(folder)).toBeUndefined()
})

test('an owner that does not respond still owns the lock', async () => {
  const folder = await makeTemporaryFolder()
  const silent = createServer(ignore)
  await new Promise<void>((done) => silent.listen(join(folder, `server-${'0'.repeat(16)}.sock`), done))
  await expect(lockDirectory(folder, ignore)).rejects.toThrow('Another process uses')
  silent.close()
})
