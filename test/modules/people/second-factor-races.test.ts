import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { codeOf } from '../../support/one-time-code.ts'
import { createBrowser, password, setUpOperator } from '../../support/people.ts'

const test = await createTestApp()
const olga = await setUpOperator(test)
const { body } = await olga.post('/auth/two-factor/enable', { password })
await olga.post('/auth/two-factor/verify-totp', { code: codeOf(body.totpURI) })

const signIn = async () => {
  const browser = createBrowser(test)
  await browser.post('/auth/sign-in/email', { email: 'olga@example.com', password })
  return browser
}
const sendToAll = async (path: string, code: string) => {
  const browsers = [await signIn(), await signIn()]
  const answers = await Promise.all(browsers.map((browser) => browser.post(path, { code })))
  return answers.filter(({ status }) => status === 200).length
}

it('a recovery code that is sent twice at once signs in once', async () => {
  expect(await sendToAll('/auth/two-factor/verify-backup-code', body.backupCodes[0])).toBe(1)
})

it('a code of the app signs in once, at once and one after the other', async () => {
  const code = codeOf(body.totpURI)
  expect(await sendToAll('/auth/two-factor/verify-totp', code)).toBe(1)
  expect((await (await signIn()).post('/auth/two-factor/verify-totp', { code })).status).toBe(401)
})
