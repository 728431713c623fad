import { useListState } from '../list/use-list-state.ts'
import { AttributedSales } from './attributed.tsx'
import { UnattributedSales } from './unattributed.tsx'

/**
 * The sales of affiliates. With `show=unattributed` in the address, unattributed sales; with `show=dismissed`,
 * dismissed ones.
 */
export function Sales() {
  const { show } = useListState().search
  if (show === 'unattributed') return <UnattributedSales key={show} isDismissed={false} />
  if (show === 'dismissed') return <UnattributedSales key={show} isDismissed />
  return <AttributedSales />
}
