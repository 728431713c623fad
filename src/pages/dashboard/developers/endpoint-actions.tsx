import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type EndpointFragment,
  ReplayEventsDocument,
  RotateWebhookSecretDocument,
} from '../../../generated/dashboard/developers/graphql.ts'
import { action } from '../api/action.ts'
import { type Done, type Outcome, useAction } from '../api/use-data.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { ShownOnce } from '../ui/secret.tsx'
import { useToast } from '../ui/toast.tsx'
import { EditEndpoint } from './edit-endpoint.tsx'
import { TestEvent } from './test-event.tsx'

const words = texts.developers.webhooks

type Asked = 'test' | 'edit' | 'replay' | 'rotate' | 'disable' | 'delete'

/** Everything that can be done with an endpoint. */
export function EndpointActions({ endpoint }: { endpoint: EndpointFragment }) {
  const { id, url, state } = endpoint
  const { program } = useProgram()
  const [asked, setAsked] = useState<Asked>()
  const [secret, setSecret] = useState<string>()
  const show = useToast()
  const navigate = useNavigate()
  const [enable] = useAction(action('enableWebhookEndpoint'))
  const [disable] = useAction(action('disableWebhookEndpoint'))
  const [remove] = useAction(action('deleteWebhookEndpoint'))
  const [rotate] = useAction(RotateWebhookSecretDocument)
  const [replay] = useAction(ReplayEventsDocument)
  const close = () => setAsked(undefined)
  /** Says what was done, or returns what went wrong. */
  const told = async <Data,>(outcome: Promise<Outcome<Data>>, done: (data: Done<Data>) => unknown) => {
    const { data, failure } = await outcome
    if (data) done(data)
    return failure
  }
  const input = { id }
  const confirms = [
    {
      key: 'replay',
      ...words.replay,
      run: () => told(replay({ input: { endpointId: id } }), ({ replayEvents }) => show(words.replayed(replayEvents))),
    },
    {
      key: 'rotate',
      ...words.rotate,
      run: () => told(rotate({ input }), ({ rotateWebhookSecret }) => setSecret(rotateWebhookSecret.secret)),
    },
    { key: 'disable', ...words.disable, run: () => told(disable({ input }), () => show(words.wasDisabled)) },
    {
      key: 'delete',
      ...words.delete,
      run: () =>
        told(remove({ input }), () => {
          show(words.wasDeleted)
          void navigate({ to: '/$program/developers', params: { program: program.slug } })
        }),
    },
  ] as const
  return (
    <>
      <button type="button" onClick={() => setAsked('test')}>
        {words.test}
      </button>
      <Menu label={texts.more} align="end">
        <MenuItem onSelect={() => setAsked('edit')}>{texts.edit}</MenuItem>
        <MenuItem onSelect={() => setAsked('replay')}>{words.replay.action}</MenuItem>
        <MenuItem onSelect={() => setAsked('rotate')}>{words.rotate.action}</MenuItem>
        {state === 'DISABLED' ? (
          <MenuItem
            onSelect={async () => {
              const failure = await told(enable({ input }), () => show(words.wasEnabled))
              if (failure) show(failure)
            }}
          >
            {words.enable}
          </MenuItem>
        ) : (
          <MenuItem onSelect={() => setAsked('disable')}>{words.disable.action}</MenuItem>
        )}
        <MenuLine />
        <MenuItem isDanger onSelect={() => setAsked('delete')}>
          {words.delete.action}
        </MenuItem>
      </Menu>
      <Dialog title={words.test} lead={words.testLead} isOpen={asked === 'test'} onClose={close}>
        <TestEvent endpointId={id} onDone={close} />
      </Dialog>
      <Dialog title={words.edit} isOpen={asked === 'edit'} onClose={close}>
        <EditEndpoint endpoint={endpoint} onDone={close} />
      </Dialog>
      {confirms.map(({ key, title, text, action, run }) => (
        <Confirm
          key={key}
          title={title}
          text={<p>{text(url)}</p>}
          action={action}
          isDanger={key !== 'replay'}
          isOpen={asked === key}
          onClose={close}
          onConfirm={run}
        />
      ))}
      <Dialog title={words.newSecret} isOpen={secret !== undefined} onClose={() => setSecret(undefined)}>
        <ShownOnce
          text={secret ?? ''}
          name={words.secret}
          warning={texts.developers.keys.onlyNow}
          onDone={() => setSecret(undefined)}
        />
      </Dialog>
    </>
  )
}
