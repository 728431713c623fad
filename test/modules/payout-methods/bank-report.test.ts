import { expect, it } from 'vitest'
import { matchRows } from '../../../src/modules/payouts/runs/match-rows.ts'
import { readReport } from '../../../src/modules/payouts/runs/report.ts'

// Messages as the schemas of ISO 20022 describe them.

const ids = [1, 2, 3].map((n) => `01988b2c-7f00-7abc-8def-00000000000${n}`)
const items = ids.map((payoutId) => ({
  id: payoutId,
  payoutId,
  state: 'sent' as const,
  currency: 'eur',
  amountCents: 1_000n,
  goneCents: 0n,
  facts: [],
}))
const [a, b, c] = ids.map((id) => id.replaceAll('-', ''))

async function resultsOf(xml: string) {
  const { results, unmatched, unchanged } = await matchRows({}, await readReport({}, xml), items)
  const byId = new Map(results.map((result) => [result.payoutId, [result.becomes, result.reason]]))
  return { results: ids.map((id) => byId.get(id)), unmatched, unchanged }
}

const status = (id: string | undefined, code: string, reason = '') =>
  `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>${code}</TxSts>${reason}</TxInfAndSts>`

it('pain.002: what was settled is paid, what was rejected is failed with the reason, the rest is on its way', async () => {
  const reason = '<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Closed &amp; gone</AddtlInf></StsRsnInf>'
  const xml = `<?xml version="1.0"?><p:Document xmlns:p="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><p:CstmrPmtStsRpt>
    <p:GrpHdr><p:CreDtTm>2026-11-27T10:00:00Z</p:CreDtTm></p:GrpHdr><p:OrgnlPmtInfAndSts>
    ${[status(a, 'ACSC'), status(b, 'RJCT', reason), status(c, 'ACCP')].join('').replaceAll(/<(\/?)/g, '<$1p:')}
    </p:OrgnlPmtInfAndSts></p:CstmrPmtStsRpt></p:Document>`
  expect(await resultsOf(xml)).toEqual({
    results: [['paid', undefined], ['failed', 'AC04 Closed & gone'], undefined],
    unmatched: [],
    unchanged: 1,
  })
})

const entry = (id: string | undefined, direction: string, amount: string, more = '') => `<Ntry>
  <Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-27</Dt></BookgDt>
  <NtryDtls><TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${more}</TxDtls></NtryDtls></Ntry>`

it.each([
  ['camt.053', 'BkToCstmrStmt', 'Stmt'],
  ['camt.054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
])('%s: a debit is paid, a credit is back, and another amount is listed', async (_name, root, part) => {
  const returned = '<RtrInf><Rsn><Cd>AC01</Cd></Rsn></RtrInf>'
  const entries = [entry(a, 'DBIT', '10.00'), entry(b, 'CRDT', '10.00', returned), entry(c, 'DBIT', '5.00')]
  const xml = `<Document><${root}><${part}>${entries.join('')}</${part}></${root}></Document>`
  const { results, unmatched } = await resultsOf(xml)
  expect(results).toEqual([['paid', undefined], ['returned', 'AC01'], undefined])
  expect(unmatched.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('The row is 5.00 EUR, but the payment is 10.00 EUR.'),
  ])
})

it.each([
  ['a document type', '<!DOCTYPE x [<!ENTITY a "aaaa">]><Document>&a;</Document>', 'has a document type'],
  ['broken XML', '<Document><CstmrPmtStsRpt></Document>', 'is not XML'],
  ['text that nothing closes', '<Document><Stmt>', 'is not XML'],
  ['more elements than a message has', `<Document>${'<a/>'.repeat(100_001)}</Document>`, 'more than 100000 elements'],
  ['more levels than a message has', `<Document>${'<a>'.repeat(50)}`, 'more than 50 levels'],
  ['another message', '<Document><FIToFICstmrCdtTrf/></Document>', 'no message of a bank'],
])('%s is rejected', async (_name, xml, message) => {
  await expect(readReport({}, xml)).rejects.toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ message: expect.stringContaining(message) })] }),
  )
})
