import { useState } from 'react'
import {
  LeaderboardDocument,
  type LeaderboardMonth,
  type LeaderboardQuery,
  type OverviewQuery,
  UpdateMeDocument,
} from '../../generated/portal/graphql.ts'
import { formatMoney } from '../parts/format.tsx'
import { formatNumber } from '../parts/locale.ts'
import { type Column, Table } from '../parts/table.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { SaveForm, TextField } from './fields.tsx'
import { texts } from './texts.ts'
import { useQuery } from './use-query.ts'
import { useSave } from './use-save.ts'

type Entry = NonNullable<LeaderboardQuery['me']['program']['leaderboard']>['entries'][number]

const months: LeaderboardMonth[] = ['THIS_MONTH', 'LAST_MONTH']

const columnsOf = ({ columns, you }: typeof texts.leaderboard, hasAmounts: boolean): Column<Entry>[] => [
  { name: columns.rank, cell: ({ rank }) => formatNumber(rank) },
  {
    name: columns.name,
    isPlain: true,
    cell: ({ name, isMe }) => (isMe ? <strong>{`${name} (${you})`}</strong> : name),
  },
  ...(hasAmounts
    ? [
        {
          name: columns.earned,
          cell: ({ earned }: Entry) => earned && formatMoney(earned.amountCents, earned.currency),
          isNumber: true,
        },
      ]
    : []),
]

type LeaderboardProps = { me: OverviewQuery['me']; onChanged(): void }

/** Who earned most in a month, and how the affiliate is shown to the others. */
export function Leaderboard({ me, onChanged }: LeaderboardProps) {
  const words = texts.leaderboard
  const [month, setMonth] = useState<LeaderboardMonth>('THIS_MONTH')
  const { data, failure, isLoading, retry } = useQuery(LeaderboardDocument, { month })
  const saving = useSave(
    UpdateMeDocument,
    ({ displayName = null }, form) => ({ input: { displayName, showsInLeaderboard: form.has('showsInLeaderboard') } }),
    () => {
      onChanged()
      retry()
      return texts.forms.saved
    },
  )
  const entries = data?.me.program.leaderboard?.entries
  return (
    <section aria-labelledby="leaderboard">
      <div className="head">
        <h2 id="leaderboard">{words.title}</h2>
        <label>
          {words.month}{' '}
          <select
            value={month}
            onChange={({ target }) => setMonth(months.find((one) => one === target.value) ?? month)}
          >
            {months.map((one) => (
              <option key={one} value={one}>
                {words.months[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {failure && <FailureNotice failure={failure} onRetry={retry} />}
      {!entries && isLoading && <p className="quiet">{texts.loading}</p>}
      {entries?.length === 0 && <p className="quiet">{words.empty}</p>}
      {entries && entries.length > 0 && (
        <Table
          caption={words.caption}
          columns={columnsOf(words, me.program.leaderboardShows === 'AMOUNTS')}
          rows={entries.map((entry, place) => ({ ...entry, place }))}
          keyOf={({ place }) => String(place)}
          isBusy={isLoading}
        />
      )}
      <SaveForm saving={saving}>
        <TextField
          name="displayName"
          label={words.displayName}
          hint={words.displayNameHint}
          value={me.displayName}
          autoComplete="nickname"
          problem={saving.problems.displayName}
        />
        <label className="check">
          <input type="checkbox" name="showsInLeaderboard" defaultChecked={me.showsInLeaderboard} />
          {words.shows}
        </label>
      </SaveForm>
    </section>
  )
}
