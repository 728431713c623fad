import type { TestProgram } from './app.ts'

type Client = Pick<TestProgram, 'graphql'>

/** Sets the rate of the program, in hundredths of a percent. */
export const withhold = (program: Client, withholdingBasisPoints: number | null) =>
  program.graphql(
    'mutation ($input: UpdateTaxSettingsInput!) { updateTaxSettings(input: $input) { taxSettings { withholdingBasisPoints } } }',
    { input: { withholdingBasisPoints } },
  )

/** Sets an affiliate's own rate. */
export const withholdFrom = async (program: Client, affiliateId: string, basisPoints: number | null) =>
  (
    await program.graphql(
      'mutation ($input: SetAffiliateWithholdingInput!) { setAffiliateWithholding(input: $input) { affiliate { withholdingBasisPoints } } }',
      { input: { affiliateId, basisPoints } },
    )
  ).setAffiliateWithholding.affiliate
