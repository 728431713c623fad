import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { FeedFactsFragment } from '../../../generated/dashboard/developers/graphql.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'
import { DeriveAgain } from './derive-again.tsx'
import { EditFeed } from './edit-feed.tsx'
import { FeedSecret } from './feed-secret.tsx'
import { FeedSignature } from './feed-signature.tsx'
import { PauseFeed } from './pause-feed.tsx'

const words = texts.developers.feeds

/** What can be done with a feed. */
export function FeedActions({ feed }: { feed: FeedFactsFragment }) {
  const { id, kind, name, state } = feed
  const { program } = useProgram()
  const [asked, setAsked] = useState<'edit' | 'secret' | 'signature' | 'delete'>()
  const [remove] = useAction(action('deleteFeed'))
  const show = useToast()
  const navigate = useNavigate()
  const close = () => setAsked(undefined)
  const needsSecret = state === 'NO_SECRET'
  const secretTitle = needsSecret ? words.enterSecret : words.replaceSecret
  const deleteIt = async () => {
    const { data, failure } = await remove({ input: { id } })
    if (!data) return failure
    show(words.wasDeleted)
    void navigate({ to: '/$program/developers', params: { program: program.slug } })
  }
  return (
    <>
      {needsSecret && (
        <button type="button" className="primary" onClick={() => setAsked('secret')}>
          {words.enterSecret}
        </button>
      )}
      <PauseFeed feed={feed} />
      <DeriveAgain feedId={id} />
      <Menu label={texts.more} align="end">
        <MenuItem onSelect={() => setAsked('edit')}>{texts.edit}</MenuItem>
        {!needsSecret && <MenuItem onSelect={() => setAsked('secret')}>{words.replaceSecret}</MenuItem>}
        {kind === 'GENERIC' && <MenuItem onSelect={() => setAsked('signature')}>{words.signing.title}</MenuItem>}
        <MenuLine />
        <MenuItem isDanger onSelect={() => setAsked('delete')}>
          {words.delete.action}
        </MenuItem>
      </Menu>
      <Dialog title={words.edit} isOpen={asked === 'edit'} onClose={close}>
        <EditFeed feed={feed} onDone={close} />
      </Dialog>
      <Dialog title={words.signing.title} isOpen={asked === 'signature'} onClose={close}>
        <FeedSignature feed={feed} onDone={close} />
      </Dialog>
      <Dialog
        title={secretTitle}
        lead={needsSecret ? undefined : words.replaceSecretLead}
        isOpen={asked === 'secret'}
        onClose={close}
      >
        <FeedSecret feed={feed} onDone={close} />
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
