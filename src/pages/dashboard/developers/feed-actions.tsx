import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  DeleteFeedDocument,
  type FeedFactsFragment,
  RederiveFeedDocument,
  type RederiveFeedMutation,
  UpdateFeedDocument,
} from '../../../generated/dashboard/developers/graphql.ts'
import { updateFeedInput } from '../../../modules/feeds/input.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.developers.feeds

/** What can be done with a feed. */
export function FeedActions({ feed }: { feed: FeedFactsFragment }) {
  const { id, name } = feed
  const { program } = useProgram()
  const [asked, setAsked] = useState<'secret' | 'delete'>()
  const [remove] = useAction(DeleteFeedDocument)
  const show = useToast()
  const navigate = useNavigate()
  const close = () => setAsked(undefined)
  const deleteIt = async () => {
    const { data, failure } = await remove({ input: { id } })
    if (!data) return failure
    show(words.wasDeleted)
    void navigate({ to: '/$program/developers', params: { program: program.slug } })
  }
  return (
    <>
      <button type="button" onClick={() => setAsked('secret')}>
        {words.enterSecret}
      </button>
      <DeriveAgain feedId={id} />
      <button type="button" onClick={() => setAsked('delete')}>
        {words.delete.action}
      </button>
      <Dialog title={words.enterSecret} lead={words.enterSecretLead} isOpen={asked === 'secret'} onClose={close}>
        <EnterSecret id={id} onDone={close} />
      </Dialog>
      <Confirm
        title={words.delete.title}
        text={<p>{words.delete.text(name)}</p>}
        action={words.delete.action}
        isOpen={asked === 'delete'}
        onClose={close}
        onConfirm={deleteIt}
      />
    </>
  )
}

function EnterSecret({ id, onDone }: { id: string; onDone(): void }) {
  const [update] = useAction(UpdateFeedDocument)
  const show = useToast()
  const form = useFields<{ secret: string }>({ secret: '' }, checkInput(updateFeedInput.pick({ secret: true })))
  const submit = form.handleSubmit(async ({ secret }) => {
    const outcome = await update({ input: { id, secret } })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={texts.save}>
      <TextField form={form} name="secret" label={words.secret} />
    </DialogForm>
  )
}

type Rederived = NonNullable<RederiveFeedMutation['rederiveFeed']>

const mostShown = 500

/** Shows what would differ before it is applied. */
function DeriveAgain({ feedId }: { feedId: string }) {
  const [rederive, isRunning] = useAction(RederiveFeedDocument)
  const [found, setFound] = useState<Rederived>()
  const show = useToast()
  /** Calls until all events are read: a call ends after some seconds. */
  const rederiveAll = async (dryRun: boolean) => {
    const all: Rederived = { events: 0, next: null, totals: [], differences: [] }
    for (let after: string | null | undefined; after !== null; ) {
      const { data, failure } = await rederive({ input: { feedId, dryRun, after } }, { refreshes: !dryRun })
      if (!data) return { failure }
      const { events, totals, differences, next } = data.rederiveFeed
      all.events += events
      all.totals.push(...totals)
      all.differences.push(...differences.slice(0, mostShown - all.differences.length))
      after = next
    }
    return { all }
  }
  const look = async () => {
    const { all, failure } = await rederiveAll(true)
    if (all) setFound(all)
    else show(failure)
  }
  const apply = async () => {
    const { all, failure } = await rederiveAll(false)
    if (!all) return failure
    show(words.rederived(all.events))
  }
  return (
    <>
      <button type="button" onClick={look} disabled={isRunning}>
        {words.rederive}
      </button>
      <Confirm
        title={words.rederiveTitle}
        text={<Differences found={found} />}
        action={words.rederive}
        isDanger={false}
        isOpen={found !== undefined}
        onClose={() => setFound(undefined)}
        onConfirm={apply}
      />
    </>
  )
}

function Differences({ found }: { found: Rederived | undefined }) {
  if (!found?.differences.length) return <p>{words.noDifferences}</p>
  const more = found.totals.reduce((sum, { count }) => sum + count, 0) - found.differences.length
  return (
    <>
      <ul className="lines">
        {found.differences.map(({ saleExternalId, what }) => (
          <li key={`${saleExternalId} ${what}`}>
            <code>{saleExternalId}</code> {what}
          </li>
        ))}
      </ul>
      {more > 0 && <p>{words.moreDifferences(more)}</p>}
    </>
  )
}
