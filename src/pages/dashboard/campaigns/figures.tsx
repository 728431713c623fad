import { Link } from '@tanstack/react-router'
import { FiguresDocument } from '../../../generated/dashboard/figures/graphql.ts'
import { formatCount } from '../../parts/format.tsx'
import { useData } from '../api/use-data.ts'
import { FiguresCard, useWanted } from '../figures/figures-card.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'

const words = texts.campaigns

/** What a campaign has brought, and the ways to its lists. */
export function Brought({ id, affiliates }: { id: string; affiliates: number }) {
  const { program } = useProgram()
  const { wanted, setWanted, variables } = useWanted()
  const loaded = useData(FiguresDocument, { ...variables, where: { campaignId: { equals: id } } })
  const search = { campaign: id }
  const params = { program: program.slug }
  return (
    <>
      <p className="ways">
        <Link to="/$program/affiliates" params={params} search={search}>
          {formatCount(affiliates, texts.affiliates.noun)}
        </Link>
        <Link to="/$program/sales" params={params} search={search}>
          {texts.views.sales}
        </Link>
        <Link to="/$program/commissions" params={params} search={search}>
          {texts.views.commissions}
        </Link>
      </p>
      <FiguresCard
        {...loaded}
        title={words.figures}
        analytics={loaded.data?.analytics}
        wanted={wanted}
        onWanted={setWanted}
      />
    </>
  )
}
