import { expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { itEvery } from '../support/cells.ts'
import { rootOperations } from '../support/operations.ts'

// Checks every root field, so that a new one without a scope, or with the wrong scope, fails here.

const app = await createTestApp()
const program = await app.createProgram()
const forTheOperator = [
  'apiKeys',
  'closeProgram',
  'createApiKey',
  'createEmailChangeLink',
  'createPasswordResetLink',
  'createProgram',
  'createSetUpLink',
  'deleteProgram',
  'doctor',
  'finishImport',
  'grantReports',
  'import',
  'importRecords',
  'installationHistory',
  'installationStatus',
  'openProgram',
  'programs',
  'reportGrants',
  'revokeApiKey',
  'revokeReports',
  'updateApiKey',
  'startImport',
  'updateApiKey',
  'updateProgram',
]

/** Fields of a program's own record: for the operator and the program's own keys. */
const forOwners = ['advanceClock']

/** Fields of a program that its keys cannot use: who has access, and what is imported. */
const notForKeys = [
  'imports',
  'inviteMember',
  'invitations',
  'members',
  'removeMember',
  'revokeInvitation',
  'updateMember',
]

/** Fields for people who are signed in. No token has any. */
const forPeople = [
  'savedViews',
  'saveView',
  'deleteSavedView',
  'savedQueries',
  'saveQuery',
  'deleteSavedQuery',
  'myMails',
  'updateMyMails',
]

/** Fields that need no program. */
const forEverybody = ['viewer']

/** Fields for affiliate tokens. test/modules/access/affiliate-tokens checks everything that those can read. */
const forAffiliates = [
  'acceptSelfBilling',
  'acceptTerms',
  'archiveMyLink',
  'createMyLink',
  'endMySessions',
  'me',
  'refreshPayoutOnboarding',
  'signTaxProfile',
  'startPayoutOnboarding',
  'updateMe',
]

const codesOf = (run: Promise<unknown>): Promise<string[]> =>
  run.then(
    () => [],
    (error) => error.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code),
  )

// test/server/subscriptions checks the fields of subscriptions.
it('the schema has root fields', () => {
  expect(rootOperations.length).toBeGreaterThan(20)
})

const nameOf = ({ name }: { name: string }) => name

itEvery('every root field returns 401 without a key', rootOperations, nameOf, async ({ operation }) => {
  const response = await app.app.fetch(
    new Request('http://localhost:4000/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: operation }),
    }),
  )
  expect(response.status).toBe(401)
  expect(await response.json()).toEqual({
    errors: [
      {
        message:
          'Invalid API key. No API key was sent. Send it in the Authorization header: as Bearer, or as the user name of Basic.',
        extensions: { code: 'UNAUTHENTICATED', retryable: false, requestId: expect.any(String) },
      },
    ],
  })
})

itEvery('every root field requires its scope', rootOperations, nameOf, async ({ name, operation }) => {
  const withKey = await codesOf(program.graphql(operation))
  const asOperator = await codesOf(app.operator(operation))
  const asOperatorOfProgram = await codesOf(app.operator(operation, {}, { 'X-Program-Id': program.id }))
  const isForOperator = forTheOperator.includes(name)
  const isForAffiliates = forAffiliates.includes(name)
  const isForPeople = forPeople.includes(name)
  expect(withKey.includes('FORBIDDEN')).toBe(
    isForOperator || isForAffiliates || isForPeople || notForKeys.includes(name),
  )
  expect(asOperator.includes('FORBIDDEN')).toBe(
    !isForOperator && !forOwners.includes(name) && !forEverybody.includes(name),
  )
  for (const codes of [withKey, asOperator, asOperatorOfProgram]) {
    expect(['', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_INPUT', 'REFUSED']).toContain(codes.join())
  }
  expect(asOperatorOfProgram.includes('FORBIDDEN')).toBe(isForAffiliates || isForPeople)
})
