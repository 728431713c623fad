import { Link } from '@tanstack/react-router'
import { Email } from '../parts/format.tsx'
import { useProgram } from './session/use-program.ts'

type CustomerLinkProps = { customer: { id: string; email: string }; name?: string | null; opens?: boolean }

/** The name of a customer, or their e-mail. It leads to their page. @param opens whether a click on the row opens it */
export function CustomerLink({ customer: { id, email }, name, opens }: CustomerLinkProps) {
  const { program } = useProgram()
  return (
    <Link
      to="/$program/customers/$id"
      params={{ program: program.slug, id }}
      className={opens ? 'opens' : undefined}
      activeProps={{}}
    >
      {name ?? <Email address={email} />}
    </Link>
  )
}
