import { mkdirSync, renameSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callOwner, lockDirectory } from '../../../src/database/embedded/lock.ts'
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

test('a directory stays locked when its socket is removed, and the owner creates the socket again', async () => {
  const folder = await makeTemporaryFolder()
  const owner = startChild('test/support/locker.ts', [folder])
  await owner.waitFor('locked')
  const [socket = ''] = await readdir(folder)
  await rm(join(folder, socket))
  const second = startChild('test/support/locker.ts', [folder])
  expect(await second.waitFor('')).toMatch(/^Another process uses the data directory/)
  await expect.poll(() => readdir(folder)).toEqual([expect.stringMatching(/^server-.*\.sock$/)])
  expect(await readdir(folder)).not.toContain(socket)
  const caller = await callOwner(folder)
  expect(caller).toBeDefined()
  caller?.destroy()
  const third = startChild('test/support/locker.ts', [folder])
  expect(await third.waitFor('')).toMatch(/^Another process uses the data directory/)
})

test('an owner is notified when its directory is replaced, and when another process owns it', async () => {
  const folder = join(await makeTemporaryFolder(), 'data')
  await mkdir(folder)
  const lockAndWatch = async () => {
    const lost: string[] = []
    const options = { onLost: (error: Error) => void lost.push(error.message), watchEveryMs: 20 }
    return { lock: await lockDirectory(folder, ignore, options), lost }
  }
  const replaced = await lockAndWatch()
  // Nothing looks at it in between.
  renameSync(folder, `${folder}.moved`)
  mkdirSync(folder)
  await expect.poll(() => replaced.lost).toEqual([`${folder} was replaced by another directory`])
  await replaced.lock.release()

  const contested = await lockAndWatch()
  // An owner in another network namespace, which the name in the kernel does not exclude.
  const other = createServer((socket) => void socket.write('o'))
  await new Promise<void>((done) => other.listen(join(folder, `server-${'0'.repeat(16)}.sock`), done))
  await expect.poll(() => contested.lost).toEqual([expect.stringMatching(/^Another process uses/)])
  await contested.lock.release()
  other.close()
})
