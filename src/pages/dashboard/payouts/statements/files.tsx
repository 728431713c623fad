import { useState } from 'react'
import { useClient } from 'urql'
import {
  StatementFileDocument,
  type StatementFileQuery,
  StatementPaperDocument,
  type StatementPaperQuery,
  type StatementRowFragment,
} from '../../../../generated/dashboard/payouts/statements/graphql.ts'
import { bytesOfBase64, saveFile } from '../../../parts/save-file.ts'
import { nameOf } from '../../affiliate-name.tsx'
import { type Document, failureOf } from '../../api/use-data.ts'

/** The file that proves itself, and the paper. Each is read when it is wanted. */
export function StatementFiles({ statement }: { statement: StatementRowFragment }) {
  const client = useClient()
  const [failure, setFailure] = useState('')
  const { id, month, currency, affiliate } = statement
  const whose = ` (${nameOf(affiliate)}, ${month}, ${currency.toUpperCase()})`
  const load = async <Data,>(document: Document<Data, { id: string }>): Promise<Data | undefined> => {
    const asked = client.query<Data>(document.toString(), { id }, { requestPolicy: 'network-only' })
    const { data, error } = await asked.toPromise()
    setFailure(data && !error ? '' : failureOf(error))
    return data
  }
  const name = `statement-${month}-${currency}-${id}`
  const saveJson = async () => {
    const { statement: read } = (await load<StatementFileQuery>(StatementFileDocument)) ?? {}
    if (read) saveFile(`${name}.json`, 'application/json', read.json)
  }
  const savePdf = async () => {
    const { statement: read } = (await load<StatementPaperQuery>(StatementPaperDocument)) ?? {}
    if (read) saveFile(`${name}.pdf`, 'application/pdf', bytesOfBase64(read.pdf))
  }
  return (
    <>
      <button type="button" onClick={() => void saveJson()}>
        JSON<span className="unseen">{whose}</span>
      </button>{' '}
      <button type="button" onClick={() => void savePdf()}>
        PDF<span className="unseen">{whose}</span>
      </button>
      <span role="status">{failure}</span>
    </>
  )
}
