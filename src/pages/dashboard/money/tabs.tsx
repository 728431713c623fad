import { Link } from '@tanstack/react-router'
import type { ListSearch } from '../list/search.ts'
import { useProgram } from '../session/use-program.ts'

type Tab = {
  name: string
  path:
    | 'payouts'
    | 'payouts/preview'
    | 'payouts/runs'
    | 'payouts/statements'
    | 'payouts/invoices'
    | 'sales'
    | 'sales/events'
    | 'customers'
  search: ListSearch
  isCurrent: boolean
}

/** The parts of a view, each with its own address. */
export function Tabs({ name, tabs }: { name: string; tabs: readonly Tab[] }) {
  const { program } = useProgram()
  return (
    <nav className="tabs" aria-label={name}>
      {tabs.map(({ name, path, search, isCurrent }) => (
        <Link
          key={name}
          to={`/$program/${path}`}
          params={{ program: program.slug }}
          search={search}
          activeProps={{}}
          className={isCurrent ? 'current' : undefined}
          aria-current={isCurrent ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
