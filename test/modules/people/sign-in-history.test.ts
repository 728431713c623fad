import { expect, it } from 'vitest'
import { createLog } from '../../../src/kernel/log.ts'
import { createTestApp } from '../../support/app.ts'
import { codeOf } from '../../support/one-time-code.ts'
import { createBrowser, password, setUpOperator } from '../../support/people.ts'

const lines: string[] = []
const log = createLog('info', { destination: { write: (line: string) => void lines.push(line) } })
const test = await createTestApp({ log })
const olga = await setUpOperator(test)
const credentials = { email: 'olga@example.com', password }

type Entry = { id: string; action: string }

/** What a step adds to the history of the installation, oldest first. */
async function addedBy(step: () => Promise<unknown>): Promise<string[]> {
  const entries = async (): Promise<Entry[]> => {
    test.clock.advanceMinutes(1)
    return test.database.db.installationChange.findMany({ orderBy: { id: 'asc' } })
  }
  const before = new Set((await entries()).map(({ id }) => id))
  await step()
  return (await entries()).filter(({ id }) => !before.has(id)).map(({ action }) => action)
}

const posted = async (browser: ReturnType<typeof createBrowser>, path: string, body: object, status = 200) => {
  const answer = await browser.post(path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  return answer.body
}

it('signing in and out and ended sessions are in the history of the installation, failed sign-ins are not', async () => {
  const browser = createBrowser(test)
  expect(await addedBy(() => posted(browser, '/auth/sign-in/email', credentials))).toEqual(['signed_in'])
  expect(await addedBy(() => browser.get('/auth/get-session'))).toEqual([])
  expect(await addedBy(() => posted(browser, '/auth/revoke-other-sessions', {}))).toEqual(['other_sessions_ended'])
  expect(await addedBy(() => posted(browser, '/auth/sign-out', {}))).toEqual(['signed_out'])
  expect(await addedBy(() => browser.post('/auth/sign-out', {}))).toEqual([])
  const wrong = { ...credentials, password: 'not the right password' }
  expect(await addedBy(() => posted(browser, '/auth/sign-in/email', wrong, 401))).toEqual([])
  const unknown = { ...wrong, email: 'nobody@example.com' }
  expect(await addedBy(() => posted(browser, '/auth/sign-in/email', unknown, 401))).toEqual([])

  const [first] = await test.database.db.installationChange.findMany({ where: { action: 'signed_out' } })
  const person = await test.database.db.person.findUniqueOrThrow({ where: { email: credentials.email } })
  expect(first).toMatchObject({ actorKind: 'person', actorId: person.id, subjectName: credentials.email })
})

it('a sign-in with a second factor is complete after the code; a wrong code is in the history', async () => {
  await posted(olga, '/auth/sign-in/email', credentials)
  const { totpURI, backupCodes } = await posted(olga, '/auth/two-factor/enable', { password })
  expect(await addedBy(() => posted(olga, '/auth/two-factor/verify-totp', { code: codeOf(totpURI) }))).toEqual([
    'second_factor_enabled',
  ])
  const browser = createBrowser(test)
  expect(await addedBy(() => posted(browser, '/auth/sign-in/email', credentials))).toEqual([])
  expect(await addedBy(() => posted(browser, '/auth/two-factor/verify-totp', { code: '000000' }, 401))).toEqual([
    'second_factor_failed',
  ])
  expect(await addedBy(() => posted(browser, '/auth/two-factor/verify-totp', { code: codeOf(totpURI) }))).toEqual([
    'signed_in',
  ])
  // The cookie of an older session that is still valid, as another tab can keep it.
  const tab = createBrowser(test)
  await posted(tab, '/auth/sign-in/email', credentials)
  const older = browser.cookies.get('tributary.session_token') as string
  tab.cookies.set('tributary.session_token', older)
  expect(await addedBy(() => posted(tab, '/auth/two-factor/verify-totp', { code: codeOf(totpURI) }))).toEqual([
    'signed_in',
  ])
  expect(tab.cookies.get('tributary.session_token')).not.toBe(older)

  const other = createBrowser(test)
  await posted(other, '/auth/sign-in/email', credentials)
  expect(await addedBy(() => posted(other, '/auth/two-factor/verify-backup-code', { code: backupCodes[0] }))).toEqual([
    'signed_in',
  ])

  // A code without a pending sign-in belongs to no person.
  const stranger = createBrowser(test)
  stranger.cookies.set('tributary.two_factor', '2fa-invented.c2lnbmF0dXJl')
  expect(await addedBy(() => posted(stranger, '/auth/two-factor/verify-totp', { code: '000000' }, 401))).toEqual([])
})

it('a failed sign-in is in the log, with the id of the person and without what was typed', async () => {
  lines.splice(0)
  const browser = createBrowser(test)
  await posted(browser, '/auth/sign-in/email', { ...credentials, password: 'typed-by-mistake' }, 401)
  await posted(browser, '/auth/sign-in/email', { email: 'typed-secret@example.com', password: 'typed-by-mistake' }, 401)
  const person = await test.database.db.person.findUniqueOrThrow({ where: { email: credentials.email } })
  const failed = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'sign-in failed')
  expect(failed).toMatchObject([
    { level: 'warn', status: 401, personId: person.id },
    { level: 'warn', status: 401, personId: null },
  ])
  for (const { address } of failed) expect(address).toEqual(expect.any(String))
  expect(lines.join('')).not.toMatch(/typed-|olga@/)
})
