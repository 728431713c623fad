import anyAscii from 'any-ascii'
import type { Program } from '../../../generated/prisma/client.ts'
import { toMajorUnits } from '../../../kernel/money/decimals.ts'
import type { FileRun } from '../method.ts'
import { digitsOf, type PaidPayout, payeeNameOf } from '../payee.ts'

/**
 * The characters that all banks accept. Source: European Payments Council, EPC217-08, "Requirements on character set".
 */
const accepted = /[^A-Za-z0-9/\-?:().,'+ ]/g

/** Letters of all scripts are written in those of English, and other characters become dots. */
const plain = (text: string, length: number) => anyAscii(text).replace(accepted, '.').slice(0, length).trim()

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const agent = (element: string, bic: string | null) =>
  bic ? `<${element}><FinInstnId><BICFI>${bic}</BICFI></FinInstnId></${element}>` : ''
const unknownAgent = (element: string) =>
  `<${element}><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></${element}>`

/**
 * The beginning of a credit transfer initiation in pain.001.001.09: one payment with all transfers, executed on the day
 * of the run. Source: ISO 20022, "Payments Initiation", CustomerCreditTransferInitiationV09; European Payments Council,
 * EPC132-08.
 */
export function fileStart({ id, createdAt, count, amountCents }: FileRun, program: Program): string {
  const at = createdAt.toISOString()
  const totals = `<NbOfTxs>${count}</NbOfTxs><CtrlSum>${toMajorUnits(amountCents, 'eur')}</CtrlSum>`
  const debtor = escaped(plain(program.debtorName ?? program.name, 70))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>',
    `<GrpHdr><MsgId>${digitsOf({ id })}</MsgId><CreDtTm>${at}</CreDtTm>${totals}<InitgPty><Nm>${debtor}</Nm></InitgPty></GrpHdr>`,
    `<PmtInf><PmtInfId>${digitsOf({ id })}</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>true</BtchBookg>${totals}` +
      '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>' +
      `<ReqdExctnDt><Dt>${at.slice(0, 10)}</Dt></ReqdExctnDt><Dbtr><Nm>${debtor}</Nm></Dbtr>` +
      `<DbtrAcct><Id><IBAN>${program.debtorIban}</IBAN></Id></DbtrAcct>` +
      `${agent('DbtrAgt', program.debtorBic) || unknownAgent('DbtrAgt')}<ChrgBr>SLEV</ChrgBr>`,
    '',
  ].join('\n')
}

/** One transfer for each payout, whose end-to-end id is the id of the payout without dashes. */
export const transfers = (payouts: readonly PaidPayout[], program: Program): string =>
  payouts
    .map(({ id, amountCents, affiliate }) => {
      const note = escaped(plain(`${program.name}: affiliate payout`, 140))
      const amount = toMajorUnits(amountCents, 'eur')
      return (
        `<CdtTrfTxInf><PmtId><EndToEndId>${digitsOf({ id })}</EndToEndId></PmtId>` +
        `<Amt><InstdAmt Ccy="EUR">${amount}</InstdAmt></Amt>${agent('CdtrAgt', affiliate.bic)}` +
        `<Cdtr><Nm>${escaped(plain(payeeNameOf(affiliate), 70))}</Nm></Cdtr>` +
        `<CdtrAcct><Id><IBAN>${affiliate.iban}</IBAN></Id></CdtrAcct><RmtInf><Ustrd>${note}</Ustrd></RmtInf></CdtTrfTxInf>\n`
      )
    })
    .join('')

export const fileEnd = '</PmtInf></CstmrCdtTrfInitn></Document>\n'
