import { Link } from '@tanstack/react-router'
import { useProgram } from '../session/use-program.ts'

export type Named = { id: string; firstName: string | null; lastName: string | null; email: string }

/** The name of an affiliate, or the e-mail of one without a name. */
export const nameOf = ({ firstName, lastName, email }: Named): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email

export function AffiliateLink({ affiliate }: { affiliate: Named }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/affiliates/$id" params={{ program: program.slug, id: affiliate.id }}>
      {nameOf(affiliate)}
    </Link>
  )
}
