import type { TestProgram } from './app.ts'

const fields = `id month number currency affiliateId openingCents closingCents hash previousHash json
  lines { number kind text amountCents month bookedAt }`

export type ReadStatement = {
  id: string
  month: string
  number: number
  currency: string
  affiliateId: string
  openingCents: number
  closingCents: number
  hash: string
  previousHash: string | null
  json: string
  lines: { number: number; kind: string; text: string; amountCents: number; month: string; bookedAt: string }[]
}

type Client = Pick<TestProgram, 'graphql'>

export async function closeMonth(program: Client, month: string): Promise<ReadStatement[]> {
  const query = `mutation ($month: String!) { closeMonth(input: { month: $month }) { statements { ${fields} } } }`
  return (await program.graphql(query, { month })).closeMonth.statements
}

export const sumOf = ({ lines }: ReadStatement): number => lines.reduce((sum, { amountCents }) => sum + amountCents, 0)

/** The kinds and amounts of the lines, which is what most tests are about. */
export const brief = ({ lines }: ReadStatement) => lines.map(({ kind, amountCents }) => [kind, amountCents])
