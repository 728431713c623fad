import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { codeOf } from '../../support/one-time-code.ts'
import { createBrowser, password, setUpOperator } from '../../support/people.ts'

const test = await createTestApp()
const olga = await setUpOperator(test)
const credentials = { email: 'olga@example.com', password }
const viewer = '{ viewer { person { hasSecondFactor } } }'

it('a second factor is asked for at sign-in, also after a reset password; a recovery code works once in its place', async () => {
  const { body } = await olga.post('/auth/two-factor/enable', { password })
  expect((await olga.post('/auth/two-factor/verify-totp', { code: codeOf(body.totpURI) })).status).toBe(200)
  expect(await olga.graphql()(viewer)).toEqual({ viewer: { person: { hasSecondFactor: true } } })

  const signIn = async () => {
    const browser = createBrowser(test)
    const answer = await browser.post('/auth/sign-in/email', credentials)
    expect(answer.body).toMatchObject({ twoFactorRedirect: true })
    await expect(browser.graphql()(viewer)).rejects.toThrow('Invalid API key')
    return browser
  }
  const wrong = await signIn()
  expect((await wrong.post('/auth/two-factor/verify-totp', { code: '000000' })).status).toBe(401)
  await expect(wrong.graphql()(viewer)).rejects.toThrow('Invalid API key')

  const right = await signIn()
  expect((await right.post('/auth/two-factor/verify-totp', { code: codeOf(body.totpURI) })).status).toBe(200)
  expect(await right.graphql()(viewer)).toEqual({ viewer: { person: { hasSecondFactor: true } } })

  const [code] = body.backupCodes
  expect((await (await signIn()).post('/auth/two-factor/verify-backup-code', { code })).status).toBe(200)
  expect((await (await signIn()).post('/auth/two-factor/verify-backup-code', { code })).status).toBe(401)

  const stored = await test.database.db.secondFactor.findMany()
  const secret = new URL(body.totpURI).searchParams.get('secret') as string
  expect(JSON.stringify(stored)).not.toContain(secret)
  expect(JSON.stringify(stored)).not.toContain(code)

  const pending = await signIn()
  const link = `mutation { createPasswordResetLink(input: { email: "${credentials.email}" }) { url } }`
  const { createPasswordResetLink } = await right.graphql()(link)
  const token = createPasswordResetLink.url.split('#token=')[1]
  const newPassword = 'four other random words'
  expect((await createBrowser(test).post('/password-reset', { token, password: newPassword })).status).toBe(200)
  await expect(right.graphql()(viewer)).rejects.toThrow('Invalid API key')
  // A sign-in that the old password had begun ends with it.
  expect((await pending.post('/auth/two-factor/verify-totp', { code: codeOf(body.totpURI) })).status).toBe(401)
  const again = createBrowser(test)
  const answer = await again.post('/auth/sign-in/email', { ...credentials, password: newPassword })
  expect(answer.body).toMatchObject({ twoFactorRedirect: true })
})
