import { mintId } from '../../src/kernel/ids.ts'
import { graphqlClient, type TestApp, type TestProgram } from './app.ts'
import { createSeller, listed, reportSale } from './factories.ts'

/** What the tests of runs read of one, without its file: reading the content fetches it. */
const unfetchedFields = `id state method currency payouts amountCents reference reason needsApproval fetchedAt
  skipped { reason payout { id } } totals { state payouts amountCents } changed { payoutId }
  items(first: 100, orderBy: [{ field: CREATED_AT, direction: ASC }]) {
    nodes { payout { id state } payoutId amountCents goneCents state reference reason recipient isNewRecipient isByDefault }
  }`
export const runFields = `${unfetchedFields} file { name content }`

const call = async (program: Pick<TestProgram, 'graphql'>, name: string, input: object, fields = runFields) => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
  const answer = await program.graphql(
    `mutation ($input: ${type}!) { ${name}(input: $input) { payoutRun { ${fields} } } }`,
    { input },
  )
  return answer[name].payoutRun
}

/** The mutations of runs, each with the run that it answers. */
export const runsOf = (program: Pick<TestProgram, 'graphql'>) => ({
  create: (input: object) => call(program, 'createPayoutRun', input),
  /** As `create`, but nobody fetches the file. */
  prepare: (input: object) => call(program, 'createPayoutRun', input, unfetchedFields),
  look: async (id: string) =>
    (await program.graphql(`query ($id: ID!) { payoutRun(id: $id) { ${unfetchedFields} } }`, { id })).payoutRun,
  approve: (id: string) => call(program, 'approvePayoutRun', { id }),
  markSent: (id: string, reference?: string) => call(program, 'markPayoutRunSent', { id, reference }),
  markPaid: (id: string, reference?: string) => call(program, 'markPayoutRunPaid', { id, reference }),
  cancel: (id: string, reason = 'test', more: object = {}) => call(program, 'cancelPayoutRun', { id, reason, ...more }),
  record: (runId: string, results: object[]) => call(program, 'recordPayoutResults', { runId, results }),
  read: async (id: string) =>
    (await program.graphql(`query ($id: ID!) { payoutRun(id: $id) { ${runFields} } }`, { id })).payoutRun,
  undo: async (id: string, reason = 'test') =>
    (
      await program.graphql(
        'mutation ($input: UndoPayoutInput!) { undoPayout(input: $input) { payout { id state paidAt reference } } }',
        { input: { id, reason } },
      )
    ).undoPayout.payout,
})

/** An affiliate with an open payout of 10.00, or of a tenth of the sale. */
export async function earner(
  program: TestProgram,
  details: object = { wallet_a_email: 'ada@a.test' },
  sale: object = {},
  campaign: object = {},
) {
  const seller = await createSeller(program, { days_before_commissions_are_due: 0, ...campaign })
  await program.put(`/affiliates/${seller.affiliate.id}`, details)
  const { sale_id: saleId, commission } = await reportSale(program, { coupon: seller.coupon, ...sale })
  const [payout] = await listed(program, `/payouts?affiliate_id=${seller.affiliate.id}`)
  return { ...seller, saleId, commission, payout }
}

/** A run of nothing, as earlier releases stored them: now it is refused. Returns its id. */
export async function createEmptyRun({ database, clock }: TestApp, programId: string): Promise<string> {
  const { now } = clock
  const id = mintId(now)
  const times = { asOf: now, cancelledAt: now, createdAt: now, updatedAt: now }
  const totals = { payoutCount: 0, amountCents: 0n, needsApproval: false, fileHasMark: false }
  const kinds = { method: 'manual', state: 'cancelled', preparedByKind: 'operator' } as const
  await database.db.payoutRun.create({ data: { programId, id, currency: 'jpy', ...kinds, ...totals, ...times } })
  return id
}

/** The program with a second API key: somebody else than its first. */
export async function anotherKey({ app, operator }: TestApp, { id }: TestProgram) {
  const { createApiKey } = await operator(
    'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Other" }) { secret } }',
    { id },
  )
  return { graphql: graphqlClient(app.fetch, { Authorization: `Bearer ${createApiKey.secret}` }) }
}
