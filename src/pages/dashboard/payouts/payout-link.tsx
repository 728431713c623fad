import { Link } from '@tanstack/react-router'
import type { PayoutFragment } from '../../../generated/dashboard/payouts/graphql.ts'
import { nameOf } from '../affiliates/affiliate.tsx'
import { useProgram } from '../session/use-program.ts'

export function PayoutLink({ payout: { id, affiliate } }: { payout: Pick<PayoutFragment, 'id' | 'affiliate'> }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/payouts/$id" params={{ program: program.slug, id }}>
      {nameOf(affiliate)}
    </Link>
  )
}
