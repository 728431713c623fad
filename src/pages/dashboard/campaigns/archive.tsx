import { useState } from 'react'
import type { CampaignRowFragment } from '../../../generated/dashboard/campaigns/graphql.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { Confirm } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.campaigns.archive

/** Archives a campaign, or takes that back. */
export function ArchiveCampaign({ campaign, affiliates }: { campaign: CampaignRowFragment; affiliates: number }) {
  const { id, name, archivedAt } = campaign
  const [isAsking, setAsking] = useState(false)
  const [archive] = useAction(action('archiveCampaign'))
  const [unarchive, isRunning] = useAction(action('unarchiveCampaign'))
  const show = useToast()
  async function undo() {
    const { failure } = await unarchive({ input: { id } })
    show(failure ?? words.undone(name))
  }
  if (archivedAt !== null)
    return (
      <button type="button" disabled={isRunning} onClick={() => void undo()}>
        {words.undo}
      </button>
    )
  return (
    <>
      <button type="button" className="danger-text" onClick={() => setAsking(true)}>
        {words.action}
      </button>
      <Confirm
        title={words.title(name)}
        text={<p>{words.text(affiliates)}</p>}
        action={words.action}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          const { failure } = await archive({ input: { id } })
          if (failure === undefined) show(words.done(name), undo)
          return failure
        }}
      />
    </>
  )
}
