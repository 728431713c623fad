import type { OwnMailsFragment } from '../../../generated/dashboard/mails/graphql.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.mails.own

const names = { getsDailyMails: words.daily, getsFailureMails: words.failures }

/** Which mails of the program the person gets. A changed choice is saved at once. */
export function OwnMails({ mails }: { mails: OwnMailsFragment }) {
  const [update, isSaving] = useAction(action('updateMyMails'))
  const show = useToast()
  const choose = async (name: keyof typeof names, value: boolean) => {
    const outcome = await update({ input: { [name]: value } })
    show(outcome.data ? words.saved : outcome.failure)
  }
  return (
    <Card title={words.title}>
      {(Object.keys(names) as (keyof typeof names)[]).map((name) => (
        <label key={name} className="check">
          <input
            type="checkbox"
            checked={mails[name]}
            disabled={isSaving}
            onChange={({ target }) => void choose(name, target.checked)}
          />
          {names[name]}
        </label>
      ))}
    </Card>
  )
}
