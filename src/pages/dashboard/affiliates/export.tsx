import { useEffect, useRef, useState } from 'react'
import { useClient } from 'urql'
import {
  AffiliateExportDocument,
  type AffiliateExportQuery,
  type AffiliateExportQueryVariables,
} from '../../../generated/dashboard/affiliates/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatCount } from '../../parts/format.tsx'
import { type Cell, fileName, writeCells } from '../../parts/result/spreadsheet.ts'
import { saveFile } from '../../parts/save-file.ts'
import { texts } from '../texts.ts'
import { Progress } from '../ui/progress.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.list.export

type Row = AffiliateExportQuery['affiliates']['nodes'][number]

/** The columns have the names that an import reads; the others come after them. */
const columns: Record<string, (row: Row) => string | number | null> = {
  email: ({ email }) => email,
  first_name: ({ firstName }) => firstName,
  last_name: ({ lastName }) => lastName,
  wallet_a_email: ({ walletAEmail }) => walletAEmail,
  wallet_b_email: ({ walletBEmail }) => walletBEmail,
  billing_customer_id: ({ billingCustomerId }) => billingCustomerId,
  coupon: ({ coupon }) => coupon?.token ?? null,
  campaign: ({ campaign }) => campaign.name,
  id: ({ id }) => id,
  state: ({ state }) => state.toLowerCase(),
  created_at: ({ createdAt }) => createdAt,
  visitors: ({ visitors }) => visitors,
  leads: ({ leads }) => leads,
  conversions: ({ conversions }) => conversions,
}

const cellOf = (value: string | number | null): Cell =>
  typeof value === 'number' ? { digits: String(value) } : (value ?? '')

type ExportProps = { listed: Omit<AffiliateExportQueryVariables, 'after'>; onDone(): void }

/** Saves all rows of the list, not only those of the page. Closing the window ends it. */
export function ExportAffiliates({ listed, onDone }: ExportProps) {
  const client = useClient()
  const show = useToast()
  const [progress, setProgress] = useState({ rows: 0, total: 0 })
  const [failure, setFailure] = useState<string>()
  const isClosed = useRef(false)
  const variables = useRef(listed)

  async function read() {
    const lines: Cell[][] = [Object.keys(columns)]
    setFailure(undefined)
    for (let after: string | null = null; ; ) {
      const given: AffiliateExportQueryVariables = { ...variables.current, after }
      const { data, error } = await client
        .query<AffiliateExportQuery>(AffiliateExportDocument.toString(), given, { isReadOnce: true })
        .toPromise()
      if (isClosed.current) return
      if (!data) return setFailure(error?.graphQLErrors[0]?.message ?? texts.failures.unreachable)
      const { nodes, totalCount, pageInfo } = data.affiliates
      for (const node of nodes) lines.push(Object.values(columns).map((value) => cellOf(value(node))))
      setProgress({ rows: lines.length - 1, total: totalCount })
      after = pageInfo.endCursor
      if (!pageInfo.hasNextPage) break
    }
    saveFile(fileName('affiliates', 'csv', new Date()), 'text/csv', writeCells(lines, { bom: true }))
    show(words.done(formatCount(lines.length - 1, texts.affiliates.noun)))
    onDone()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins when the window opens
  useEffect(() => {
    isClosed.current = false
    void read()
    return () => {
      isClosed.current = true
    }
  }, [])

  if (failure) return <FailureNotice message={failure} onRetry={() => void read()} />
  return (
    <>
      <p>{words.lead(formatCount(progress.total, texts.affiliates.noun))}</p>
      <Progress label={words.running} done={progress.rows} count={progress.total} />
      <div className="dialog-foot">
        <button type="button" onClick={onDone}>
          {texts.cancel}
        </button>
      </div>
    </>
  )
}
