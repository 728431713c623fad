import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Day, formatMoney } from '../../parts/format.tsx'
import type { Column } from '../../parts/table.tsx'
import { AffiliateLink, nameOf } from '../affiliate-name.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'

// The same columns of all lists: a name leads to the person, an id or an amount to the thing that the row is about.

type Thing = 'sales' | 'commissions' | 'payouts' | 'campaigns'
type Named = Parameters<typeof AffiliateLink>[0]['affiliate']
type Amount = { amountCents: number; currency: string }

type ThingLinkProps = { of: Thing; id: string; opens?: boolean; children: ReactNode }

/** @param opens whether a click on the row opens it */
export function ThingLink({ of, id, opens, children }: ThingLinkProps) {
  const { program } = useProgram()
  return (
    <Link
      to={`/$program/${of}/$id`}
      params={{ program: program.slug, id }}
      className={opens ? 'opens' : undefined}
      activeProps={{}}
    >
      {children}
    </Link>
  )
}

export const affiliateColumn = <Row extends { affiliate: Named }>(): Column<Row> => ({
  name: texts.money.affiliate,
  cell: ({ affiliate }) => <AffiliateLink affiliate={affiliate} />,
  csv: {
    [texts.money.affiliate]: ({ affiliate }) => nameOf(affiliate),
    [texts.fields.email]: ({ affiliate }) => affiliate.email,
  },
})

export const campaignColumn = <Row extends { campaign: { id: string; name: string } }>(): Column<Row> => ({
  name: texts.money.campaign,
  cell: ({ campaign: { id, name } }) => (
    <ThingLink of="campaigns" id={id}>
      {name}
    </ThingLink>
  ),
  csv: ({ campaign }) => campaign.name,
})

/** The amount of the thing, which a click on the row opens. */
export const amountColumn = <Row extends Amount & { id: string }>(of?: Thing): Column<Row> => ({
  name: texts.money.amount,
  isNumber: true,
  sort: 'amount',
  cell: ({ id, amountCents, currency }) =>
    of ? (
      <ThingLink of={of} id={id} opens>
        {formatMoney(amountCents, currency)}
      </ThingLink>
    ) : (
      formatMoney(amountCents, currency)
    ),
  csv: ({ amountCents: cents, currency }) => ({ cents, currency }),
})

export const dayColumn = <Row,>(
  name: string,
  at: (row: Row) => string | null,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({
  name,
  cell: (row) => {
    const given = at(row)
    return given === null ? '–' : <Day at={given} />
  },
  csv: at,
  ...more,
})

/** Without an id, nothing else stands in its place. */
export const NoId = () => <span className="quiet">{texts.money.noId}</span>
