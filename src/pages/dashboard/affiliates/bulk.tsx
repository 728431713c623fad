import { useState } from 'react'
import type { AffiliateRowFragment, AffiliateState } from '../../../generated/dashboard/affiliates/graphql.ts'
import { nameOf, states } from '../affiliate-name.tsx'
import { action } from '../api/action.ts'
import { useEach } from '../api/use-each.ts'
import type { Option } from '../form/fields.tsx'
import { WriteMail } from '../mails/write/write-mail.tsx'
import { texts } from '../texts.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { Progress } from '../ui/progress.tsx'
import { useToast } from '../ui/toast.tsx'
import { GroupMenus } from './group-menu.tsx'
import type { Definition } from './own-fields.tsx'
import { SetFieldMenu } from './set-field.tsx'

const words = texts.affiliates.bulk
const shownNames = 12

type Change = {
  title(count: number): string
  effect: string
  isDanger: boolean
  input: { state?: AffiliateState; campaignId?: string }
}

const stateChange = (state: AffiliateState): Change => ({
  title: (count) => words.title(count, texts.affiliates.states[state].toLowerCase()),
  effect: words.effects[state],
  isDanger: state !== 'ACTIVE',
  input: { state },
})

const move = ({ value, name }: Option): Change => ({
  title: (count) => words.moveTitle(count, name),
  effect: words.moveEffect,
  isDanger: false,
  input: { campaignId: value },
})

type BulkProps = {
  affiliates: readonly AffiliateRowFragment[]
  campaigns: readonly Option[]
  definitions: readonly Definition[]
  onDone(): void
}

/** What can be done with the affiliates that are selected. */
export function BulkActions({ affiliates, campaigns, definitions, onDone }: BulkProps) {
  const [change, setChange] = useState<Change>()
  return (
    <>
      <Menu label={words.setState}>
        {states.map((state) => (
          <MenuItem key={state} onSelect={() => setChange(stateChange(state))}>
            {texts.affiliates.states[state]}
          </MenuItem>
        ))}
      </Menu>
      <Menu label={words.moveTo}>
        <div className="menu-scroll">
          {campaigns.map((campaign) => (
            <MenuItem key={campaign.value} onSelect={() => setChange(move(campaign))}>
              {campaign.name}
            </MenuItem>
          ))}
        </div>
      </Menu>
      <WriteMail where={{ id: { in: affiliates.map(({ id }) => id) } }} onDone={onDone} />
      <GroupMenus affiliates={affiliates} onDone={onDone} />
      {definitions.length > 0 && <SetFieldMenu affiliates={affiliates} definitions={definitions} onDone={onDone} />}
      {change && (
        <BulkChange change={change} affiliates={affiliates} onDone={onDone} onClose={() => setChange(undefined)} />
      )}
    </>
  )
}

type ChangeProps = {
  change: Change
  affiliates: readonly AffiliateRowFragment[]
  onDone(): void
  onClose(): void
}

/** Asks, naming what changes; then shows how far it is, and each affiliate that could not be changed. */
function BulkChange({ change, affiliates, onDone, onClose }: ChangeProps) {
  const [waiting, setWaiting] = useState(affiliates)
  const [isRunning, setRunning] = useState(false)
  const show = useToast()
  const each = useEach(action('updateAffiliate'), ({ id }: AffiliateRowFragment) => ({
    input: { id, ...change.input },
  }))
  const { done, failed } = each
  return (
    <Confirm
      title={change.title(affiliates.length)}
      text={
        <>
          {failed.length === 0 || isRunning ? (
            <>
              <p>{waiting.slice(0, shownNames).map(nameOf).join(', ')}</p>
              {waiting.length > shownNames && <p>{texts.list.each.more(waiting.length - shownNames)}</p>}
              <p className="quiet">{change.effect}</p>
            </>
          ) : (
            <ul className="failures">
              {failed.map(({ item, message }) => (
                <li key={item.id}>
                  <strong>{nameOf(item)}</strong>: {message}
                </li>
              ))}
            </ul>
          )}
          {isRunning && <Progress label={words.running} done={done} count={waiting.length} />}
        </>
      }
      action={failed.length === 0 || isRunning ? words.action(waiting.length) : words.retry(failed.length)}
      isDanger={change.isDanger}
      isOpen
      onClose={() => {
        each.stop()
        onClose()
      }}
      onConfirm={async () => {
        const items = failed.length > 0 ? failed.map(({ item }) => item) : waiting
        setWaiting(items)
        setRunning(true)
        const left = await each.run(items)
        setRunning(false)
        if (left.length > 0) return texts.list.each.failed(left.length, items.length)
        show(words.done(affiliates.length))
        onDone()
        return undefined
      }}
    />
  )
}
