import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useContext, useEffect, useId, useState } from 'react'
import { FindDocument } from '../../../generated/dashboard/find/graphql.ts'
import { useData } from '../api/use-data.ts'
import { useSettled } from '../form/use-settled.ts'
import { ProgramContext, useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { useInertPage } from '../ui/inert-page.ts'
import { type Found, type Group, recordsOf } from './found.ts'
import { placesFor } from './places.ts'

const words = texts.find

/** The service is asked when nothing was typed for a moment. */
const typingMs = 80

/** The box that finds everything: pages and actions by their names, and the records of the program. */
export function FindBox({ onClose }: { onClose(): void }) {
  useInertPage(true)
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const { groups, isWaiting, failure } = useFound(text.trim())
  const open = ({ path, search = {}, asked }: Found) => {
    onClose()
    void navigate({ to: path, search: search as never, state: { asked } })
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="find" aria-label={words.title}>
          <Choices text={text} onText={setText} groups={groups} onChoose={open} isBusy={isWaiting}>
            {failure ?? (isWaiting ? texts.loading : text.trim() === '' ? words.hint : words.nothing(text.trim()))}
          </Choices>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** What the text finds, without empty groups. Records of the last text stay until those of the next are here. */
function useFound(text: string) {
  const session = useSession()
  const opened = useContext(ProgramContext)
  const asked = useSettled(text, typingMs)
  const { data, failure, isLoading } = useData(FindDocument, { text: asked }, { pause: asked === '' || !opened })
  const hasRecords = text !== '' && data && opened
  const groups = [...placesFor(text, session, opened), ...(hasRecords ? recordsOf(data, opened.program.slug) : [])]
  return {
    groups: groups.filter(({ found }) => found.length > 0),
    isWaiting: text !== '' && opened !== null && (isLoading || text !== asked),
    failure: text === '' ? undefined : failure,
  }
}

type ChoicesProps = {
  text: string
  onText(text: string): void
  groups: readonly Group[]
  onChoose(found: Found): void
  isBusy: boolean
  /** What is said where nothing is found. */
  children: string
}

/** A field, and what it finds. The focus stays in the field; arrows choose, Enter opens. */
function Choices({ text, onText, groups, onChoose, isBusy, children }: ChoicesProps) {
  const id = useId()
  const all = groups.flatMap(({ found }) => found)
  const [chosen, setChosen] = useState('')
  const [isEntered, setEntered] = useState(false)
  const index = Math.max(
    0,
    all.findIndex(({ key }) => key === chosen),
  )
  const current = all[index]
  const optionId = (found: Found) => `${id}-${all.indexOf(found)}`
  useEffect(() => {
    document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, index])
  // Enter before the records are here opens the first one once they are.
  const canOpen = current !== undefined && (!isBusy || !current.isRecord)
  useEffect(() => {
    if (!isEntered || (isBusy && !canOpen)) return
    setEntered(false)
    if (current) onChoose(current)
  }, [isEntered, isBusy, canOpen, current, onChoose])
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step) setChosen(all[(index + step + all.length) % all.length]?.key ?? '')
    else if (event.key === 'Enter') setEntered(true)
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        type="search"
        role="combobox"
        aria-label={words.title}
        aria-expanded={all.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={current && optionId(current)}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={words.placeholder}
        value={text}
        onChange={({ target }) => {
          onText(target.value)
          setChosen('')
          setEntered(false)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={words.results} aria-busy={isBusy} className="find-list">
        {groups.map(({ name, found }, place) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
          <div key={name} role="group" aria-labelledby={`${id}-group-${place}`}>
            <p id={`${id}-group-${place}`} className="find-group">
              {name}
            </p>
            {found.map((one) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
              <div
                key={one.key}
                id={optionId(one)}
                role="option"
                tabIndex={-1}
                aria-selected={one === current}
                className="find-option"
                onClick={() => onChoose(one)}
              >
                <span>{one.name}</span>
                {one.detail && <span className="quiet">{one.detail}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p role="status" className="find-status quiet">
        {all.length === 0 || (isBusy && text.trim() !== '') ? children : words.keys}
      </p>
    </>
  )
}
