import { expect, it } from 'vitest'
import { createTestApp, graphqlClient, type TestProgram } from '../../support/app.ts'
import { createAffiliate, made } from '../../support/factories.ts'

const test = await createTestApp()
const query = `query ($month: LeaderboardMonth! = THIS_MONTH) { me { program { leaderboard(month: $month) {
  entries { rank name isMe earned { amountCents currency } } } } } }`

const show = (program: TestProgram, shows: string) =>
  test.operator(
    'mutation ($id: ID!, $shows: LeaderboardShows!) { updateProgram(input: { id: $id, leaderboardShows: $shows }) { program { id } } }',
    { id: program.id, shows },
  )

async function signedIn(program: TestProgram, id: string) {
  const { createAffiliateToken } = await program.graphql(
    'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
    { id },
  )
  return graphqlClient(test.app.fetch, { Authorization: `Bearer ${createAffiliateToken.token}` })
}

const earn = (program: TestProgram, affiliateId: string, amountCents: number) =>
  program.graphql(
    `mutation ($id: ID!, $amount: SafeInt!) { createCommission(input: { affiliateId: $id, kind: BONUS, amountCents: $amount, reason: "Bonus" }) { commission { id } } }`,
    { id: affiliateId, amount: amountCents },
  )

const entriesOf = async (
  ask: (query: string, variables?: Record<string, unknown>) => Promise<any>,
  month = 'THIS_MONTH',
) => (await ask(query, { month })).me.program.leaderboard?.entries

it('affiliates see ranks and names only if the program allows it, and amounts only if it allows those', async () => {
  const program = await test.createProgram()
  const ada = await createAffiliate(program, { first_name: 'Ada', last_name: 'Lovelace' })
  const bob = await createAffiliate(program, { first_name: 'Bob' })
  const eve = await createAffiliate(program, {})
  await earn(program, ada.id, 500)
  await earn(program, bob.id, 900)
  await earn(program, eve.id, 500)
  const asAda = await signedIn(program, ada.id)
  expect(await entriesOf(asAda)).toBeUndefined()
  expect((await asAda('{ me { program { leaderboardShows } } }')).me.program.leaderboardShows).toBe('NOTHING')

  await show(program, 'RANKS')
  const ranks = [
    { rank: 1, name: 'B.', isMe: false, earned: null },
    { rank: 2, name: 'A. L.', isMe: true, earned: null },
    { rank: 2, name: '–', isMe: false, earned: null },
  ]
  expect(await entriesOf(asAda)).toEqual(ranks)
  expect(await entriesOf(asAda, 'LAST_MONTH')).toEqual([])

  await show(program, 'AMOUNTS')
  for (const name of ['Ada\\nLovelace', 'Ada \\u202Eevil'])
    await expect(
      asAda(`mutation { updateMe(input: { displayName: "${name}" }) { affiliate { displayName } } }`),
    ).rejects.toThrow('Display name must be one line, without control characters')
  await asAda('mutation { updateMe(input: { displayName: "Countess" }) { affiliate { displayName } } }')
  expect((await entriesOf(asAda))?.[1]).toEqual({
    rank: 2,
    name: 'Countess',
    isMe: true,
    earned: { amountCents: 500, currency: 'usd' },
  })
  // A manager sees what affiliates see.
  const { program: seen } = await program.graphql('{ program { leaderboard { entries { name isMe } } } }')
  expect(seen.leaderboard.entries).toContainEqual({ name: 'Countess', isMe: false })
})

it('who does not want to be seen is left out, and so are disabled affiliates; places of the others close up', async () => {
  const program = await test.createProgram()
  const [ada, bob, eve] = [
    await createAffiliate(program, { first_name: 'Ada' }),
    await createAffiliate(program, { first_name: 'Bob' }),
    await createAffiliate(program, { first_name: 'Eve' }),
  ]
  await earn(program, ada.id, 900)
  await earn(program, bob.id, 500)
  await earn(program, eve.id, 100)
  await show(program, 'RANKS')
  const asAda = await signedIn(program, ada.id)
  await asAda('mutation { updateMe(input: { showsInLeaderboard: false }) { affiliate { showsInLeaderboard } } }')
  await made(program.put(`/affiliates/${bob.id}`, { state: 'disabled' }))
  const asEve = await signedIn(program, eve.id)
  expect(await entriesOf(asEve)).toEqual([{ rank: 1, name: 'E.', isMe: true, earned: null }])
  expect(await entriesOf(asAda)).toHaveLength(1)
  expect(
    (await program.graphql('query ($id: ID!) { affiliate(id: $id) { showsInLeaderboard } }', { id: ada.id })).affiliate,
  ).toEqual({ showsInLeaderboard: false })
})

it('has the months of the program, and the own place after the first 20', async () => {
  const program = await test.createProgram()
  await show(program, 'RANKS')
  const affiliates = []
  for (let n = 0; n < 22; n += 1) {
    const affiliate = await createAffiliate(program, { first_name: `N${n}` })
    await earn(program, affiliate.id, 10_000 - n)
    affiliates.push(affiliate)
  }
  const last = await signedIn(program, affiliates[21].id)
  const entries = await entriesOf(last)
  expect(entries).toHaveLength(21)
  expect(entries.at(-1)).toMatchObject({ rank: 22, isMe: true })
  // The month is that of the program: the same moments are last month's after it has ended.
  test.clock.advanceDays(31)
  const later = await signedIn(program, affiliates[21].id)
  expect(await entriesOf(later)).toEqual([])
  expect(await entriesOf(later, 'LAST_MONTH')).toHaveLength(21)
})
