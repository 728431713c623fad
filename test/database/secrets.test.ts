import { expect, it } from 'vitest'
import { secretOfRow } from '../../src/modules/access/affiliate-tokens/signing-secret.ts'
import { adminToken, createTestApp, testKey } from '../support/app.ts'
import { createAffiliate } from '../support/factories.ts'
import { createFeedOf } from '../support/feeds.ts'
import { findText } from '../support/find-text.ts'
import { createBrowser, password, setUpOperator } from '../support/people.ts'
import { createEndpoint } from '../support/webhooks.ts'

const app = await createTestApp()
const { db } = app.database

it('no secret is readable in the database, so that a backup gives no access', async () => {
  const program = await app.createProgram()
  const browser = await setUpOperator(app)
  const { createSetUpLink } = await app.operator('mutation { createSetUpLink(input: { validForMinutes: 5 }) { url } }')
  const endpoints = [
    await createEndpoint(program, 'https://acme.test/hook'),
    await createEndpoint(program, 'https://acme.test/hook', ', format: CONVENTION'),
  ]
  await createBrowser(app).post('/auth/sign-in/email', { email: 'nobody@example.com', password })

  const cookie = [...browser.cookies.values()]
    .map((value) => decodeURIComponent(value))
    .find((value) => value.includes('.'))
  const token = new URL(createSetUpLink.url).hash.replace('#token=', '')
  const secrets: Record<string, string | undefined> = {
    key: program.secret,
    adminToken,
    password,
    cookie,
    token,
    standard: endpoints[0]?.secret,
    convention: endpoints[1]?.secret,
    feed: 'polar_whs_of_the_test_of_secrets',
  }
  await createFeedOf(program, 'POLAR', { secret: secrets.feed })
  const { createAffiliateToken } = await program.graphql(
    'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
    { id: (await createAffiliate(program)).id },
  )
  const row = await db.affiliateTokenSecret.findUniqueOrThrow({ where: { programId: program.id } })
  secrets.affiliateToken = createAffiliateToken.token
  secrets.signingSecret = secretOfRow({ key: testKey }, row) ?? ''
  for (const [name, secret = ''] of Object.entries(secrets)) {
    expect([name, secret.length > 20]).toEqual([name, true])
    expect([name, await findText(db, secret)]).toEqual([name, []])
  }
  // The search finds what is there.
  expect(await findText(db, 'OLGA@example.com')).toContain('people')
})
