import { type OwnMailsFragment, UpdateMyMailsDocument } from '../../../generated/dashboard/mails/graphql.ts'
import { useAction } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.mails.own

/** Which mails of the program the person gets. A changed choice is saved at once. */
export function OwnMails({ mails }: { mails: OwnMailsFragment }) {
  const [update, isSaving] = useAction(UpdateMyMailsDocument)
  const show = useToast()
  const choose = async (name: 'daily' | 'failures', value: boolean) => {
    const outcome = await update({ input: { [name]: value } })
    show(outcome.data ? words.saved : outcome.failure)
  }
  return (
    <Card title={words.title}>
      {(['daily', 'failures'] as const).map((name) => (
        <label key={name} className="check">
          <input
            type="checkbox"
            checked={mails[name]}
            disabled={isSaving}
            onChange={({ target }) => void choose(name, target.checked)}
          />
          {words[name]}
        </label>
      ))}
    </Card>
  )
}
