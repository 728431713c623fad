import { useState } from 'react'
import { useClient } from 'urql'
import {
  type PayoutFragment,
  PayoutsDocument,
  type PayoutsQuery,
  type PayoutWhere,
} from '../../../generated/dashboard/payouts/graphql.ts'
import { texts } from '../texts.ts'

const pageSize = 100

/** Loads all payouts that meet conditions, page by page, as they are now. */
export function useAllPayouts() {
  const client = useClient()
  /** How many are loaded so far. Undefined while nothing is loaded. */
  const [loaded, setLoaded] = useState<number>()
  const [failure, setFailure] = useState<string>()
  async function load(where: PayoutWhere): Promise<readonly PayoutFragment[] | undefined> {
    const payouts: PayoutFragment[] = []
    let after: string | null = null
    setFailure(undefined)
    do {
      setLoaded(payouts.length)
      const variables: object = { first: pageSize, after, where }
      const { data }: { data?: PayoutsQuery | undefined } = await client
        .query<PayoutsQuery>(PayoutsDocument.toString(), variables, { requestPolicy: 'network-only' })
        .toPromise()
      if (!data) {
        setLoaded(undefined)
        setFailure(texts.failures.unreachable)
        return undefined
      }
      payouts.push(...data.payouts.nodes)
      after = data.payouts.pageInfo.hasNextPage ? data.payouts.pageInfo.endCursor : null
    } while (after !== null)
    setLoaded(undefined)
    return payouts
  }
  return { load, loaded, failure }
}
