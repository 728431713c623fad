import { useState } from 'react'
import { useClient } from 'urql'
import { PayoutRunFileDocument, type PayoutRunFileQuery } from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { saveFile } from '../../../parts/save-file.ts'
import { failureOf } from '../../api/use-data.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Run } from './run-type.ts'

const words = texts.payoutRuns

/**
 * The file of a run, byte for byte as it was written when the run was made. It is read when it is wanted: it can be
 * large.
 */
export function RunFile({ run: { id, file: known } }: { run: Run }) {
  const client = useClient()
  const show = useToast()
  const [failure, setFailure] = useState<string>()
  const [isLoading, setLoading] = useState(false)
  async function download() {
    setLoading(true)
    const { data, error } = await client
      .query<PayoutRunFileQuery>(PayoutRunFileDocument.toString(), { id }, { requestPolicy: 'network-only' })
      .toPromise()
    setLoading(false)
    const file = data?.payoutRun?.file
    setFailure(file ? undefined : failureOf(error))
    if (!file) return
    saveFile(file.name, file.name.endsWith('.xml') ? 'application/xml' : 'text/csv', file.content)
    show(words.downloaded(file.name))
  }
  if (!known) return <Card title={words.file} lead={words.byHand} />
  return (
    <Card title={words.file} lead={words.fileLead}>
      {failure && <FailureNotice message={failure} />}
      <button type="button" aria-disabled={isLoading || undefined} onClick={() => !isLoading && void download()}>
        {words.download}
      </button>
    </Card>
  )
}
