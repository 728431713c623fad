import { expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'

const app = await createTestApp()
const program = await app.createProgram()
const create =
  'mutation ($input: CreateAffiliateInput!) { createAffiliate(input: $input) { affiliate { email walletAEmail } } }'

it('an e-mail or address that can not be is a problem beside the others, not the only one that is told', async () => {
  const input = { email: 'nobody', walletAEmail: 'x@', token: 'no token' }
  const error = await program.graphql(create, { input }).catch((failed) => failed.errors[0])
  expect(error.extensions.problems.map(({ path }: any) => path)).toEqual([
    ['input', 'email'],
    ['input', 'token'],
    ['input', 'walletAEmail'],
  ])
  const campaign = `mutation { createCampaign(input: { name: "X", url: "acme.test", commissionCurrency: "zzz", commissionPercent: 1 }) {
    campaign { id }
  } }`
  const refused = await program.graphql(campaign).catch((failed) => failed.errors[0])
  expect(refused.extensions.problems.map(({ field }: any) => field)).toEqual(['url', 'commissionCurrency'])
})

it('an e-mail with letters beyond ASCII is stored and read as it was given', async () => {
  const input = { email: 'jürgen@exämple.test', walletAEmail: 'jürgen@exämple.test' }
  const { createAffiliate } = await program.graphql(create, { input })
  expect(createAffiliate.affiliate).toEqual(input)
})

it('an address is read to the letter, a currency in lower case whatever the case it came in', async () => {
  const { createCampaign } = await program.graphql(`mutation {
    createCampaign(input: { name: "X", url: "https://Acme.test", commissionCurrency: "EUR", commissionPercent: 1 }) {
      campaign { url commissionCurrency }
    }
  }`)
  expect(createCampaign.campaign).toEqual({ url: 'https://Acme.test', commissionCurrency: 'eur' })
})
