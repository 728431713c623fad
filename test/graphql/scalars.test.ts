import { expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'

const app = await createTestApp()
const program = await app.createProgram()
const create =
  'mutation ($input: CreateAffiliateInput!) { createAffiliate(input: $input) { affiliate { email paypalEmail } } }'

it('an invalid e-mail or URL is reported together with the other problems', async () => {
  const input = { email: 'nobody', paypalEmail: 'x@', token: 'no token' }
  const error = await program.graphql(create, { input }).catch((failed) => failed.errors[0])
  expect(error.extensions.problems.map(({ path }: any) => path)).toEqual([
    ['input', 'email'],
    ['input', 'token'],
    ['input', 'paypalEmail'],
  ])
  const campaign = `mutation { createCampaign(input: { name: "X", url: "acme.test", commissionCurrency: "zzz", commissionPercent: 1 }) {
    campaign { id }
  } }`
  const refused = await program.graphql(campaign).catch((failed) => failed.errors[0])
  expect(refused.extensions.problems.map(({ field }: any) => field)).toEqual(['url', 'commissionCurrency'])
})

it('an e-mail with non-ASCII letters is stored unchanged', async () => {
  const input = { email: 'jürgen@exämple.test', paypalEmail: 'jürgen@exämple.test' }
  const { createAffiliate } = await program.graphql(create, { input })
  expect(createAffiliate.affiliate).toEqual(input)
})

it('a URL is stored unchanged, and a currency is converted to lower case', async () => {
  const { createCampaign } = await program.graphql(`mutation {
    createCampaign(input: { name: "X", url: "https://Acme.test", commissionCurrency: "EUR", commissionPercent: 1 }) {
      campaign { url commissionCurrency }
    }
  }`)
  expect(createCampaign.campaign).toEqual({ url: 'https://Acme.test', commissionCurrency: 'eur' })
})
