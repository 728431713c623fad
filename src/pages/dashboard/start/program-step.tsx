import { Link } from '@tanstack/react-router'
import type { StartQuery } from '../../../generated/dashboard/start/graphql.ts'
import { rewardOf } from '../campaigns/reward.ts'
import { Fact } from '../money/fact.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'

const words = texts.start.program

/** The currency, the rate and the terms, each with the page that changes it. */
export function ProgramStep({ start: { campaigns, terms } }: { start: StartQuery }) {
  const { program } = useProgram()
  const params = { program: program.slug }
  const campaign = campaigns.nodes.find(({ isDefault }) => isDefault) ?? campaigns.nodes[0]
  const version = Math.max(0, ...terms.map((one) => one.version))
  return (
    <dl className="facts">
      <Fact name={words.currency}>
        {program.currency.toUpperCase()}{' '}
        <Link to="/$program/settings" params={params}>
          {words.changeCurrency}
        </Link>
      </Fact>
      {campaign && (
        <Fact name={words.rate}>
          {rewardOf(campaign)}{' '}
          <Link to="/$program/campaigns/$id" params={{ ...params, id: campaign.id }}>
            {words.changeRate}
          </Link>
        </Fact>
      )}
      <Fact name={words.terms}>
        {version === 0 ? words.noTerms : words.published(version)}{' '}
        <Link to="/$program/applications/join" params={params}>
          {version === 0 ? words.writeTerms : words.showTerms}
        </Link>
      </Fact>
    </dl>
  )
}
