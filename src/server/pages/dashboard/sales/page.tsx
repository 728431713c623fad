import { useListState } from '../list/use-list-state.ts'
import { AttributedSales } from './attributed.tsx'
import { UnattributedSales } from './unattributed.tsx'

/** The sales of affiliates or, with `show=unattributed` in the address, those that have none. */
export const Sales = () => (useListState().search.show === 'unattributed' ? <UnattributedSales /> : <AttributedSales />)
