import { useListState } from '../list/use-list-state.ts'
import { OpenPayouts } from './open.tsx'
import { PaidPayouts } from './paid-payouts.tsx'

/** What is to be paid or, with `state=paid` in the address, what was paid. */
export const Payouts = () => (useListState().search.state === 'paid' ? <PaidPayouts /> : <OpenPayouts />)
