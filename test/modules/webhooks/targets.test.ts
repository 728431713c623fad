import { afterAll, describe, expect, it } from 'vitest'
import { postBody } from '../../../src/modules/webhooks/send.ts'
import { createTargets } from '../../../src/modules/webhooks/targets.ts'
import { createTestApp } from '../../support/app.ts'
import { createReceiver } from '../../support/receiver.ts'
import { createEndpoint } from '../../support/webhooks.ts'

const hook = await createReceiver()
afterAll(() => hook.close())

const strict = createTargets({ allowedHosts: [], allowHttp: true })

/** Spellings of addresses that are not public. */
const spellings = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.0.0.1.',
  'localhost',
  'LOCALHOST.',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '172.16.5.4',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[fe80::1]',
  '[fd00::1]',
  '①②⑦.⓪.⓪.①',
  '%31%32%37.0.0.1',
]

describe('an address that is not public', () => {
  it.each(spellings)('%s is refused when an endpoint is created, and when it is sent to', async (host) => {
    const url = `http://${host}:${hook.port}/`
    expect(await strict.problemOf(url)).toContain('must not lead to a private')
    const { status, error } = await postBody(strict, url, '{}', {})
    expect({ status, isRefused: error !== null }).toEqual({ status: null, isRefused: true })
    expect(hook.received).toEqual([])
  })

  it('is reported as a problem of the field', async () => {
    const test = await createTestApp({
      webhooks: { key: Buffer.alloc(32), allowedHosts: [], allowHttp: false, isIdle: true },
    })
    const program = await test.createProgram()
    await expect(createEndpoint(program, 'https://127.0.0.1/')).rejects.toThrow('WEBHOOK_ALLOWED_HOSTS')
    await expect(createEndpoint(program, 'http://receiver.invalid/')).rejects.toThrow('must start with https://')
    await expect(createEndpoint(program, 'https://user:word@receiver.invalid/')).rejects.toThrow('user name')
    expect((await createEndpoint(program, 'https://receiver.invalid/')).id).toBeDefined()
  })

  it('is checked after the name was resolved, at each connection', async () => {
    const { lookup } = strict.connectionTo(new URL('https://localhost/'))
    const found = await new Promise((resolve) => lookup?.('localhost', { all: true }, (...given) => resolve(given)))
    expect(found).toEqual([expect.objectContaining({ message: expect.stringContaining('is a private') }), ''])
  })
})

describe('the operator can allow', () => {
  it.each([
    ['an address', ['127.0.0.1']],
    ['a network', ['10.0.0.0/8', '127.0.0.0/8']],
  ])('%s', async (_what, allowedHosts) => {
    const targets = createTargets({ allowedHosts, allowHttp: false })
    expect(await targets.problemOf(hook.url)).toBeNull()
    expect(await postBody(targets, hook.url, '{}', {})).toMatchObject({ status: 200, error: null })
    expect(await targets.problemOf('http://[::1]/')).toContain('must not lead')
  })

  it('a name, in any case', async () => {
    const targets = createTargets({ allowedHosts: ['LocalHost'], allowHttp: false })
    const url = `http://localhost:${hook.port}/`
    expect(await targets.problemOf(url)).toBeNull()
    expect(await postBody(targets, url, '{}', {})).toMatchObject({ status: 200 })
    expect(await targets.problemOf(hook.url)).toContain('must not lead')
  })
})
