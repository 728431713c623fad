import { Search } from 'lucide-react'
import { type ComponentType, useEffect, useState } from 'react'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'
import { followKeys, toFirstRow } from './keys.ts'
import { loaded } from './lazy-view.ts'

type Opened = ComponentType<{ onClose(): void }>

const loadBox = () => import('../find/box.tsx').then(({ FindBox }): Opened => FindBox)
const loadKeys = () => import('../find/keys.tsx').then(({ KeysHelp }): Opened => KeysHelp)

/** The box that finds everything, and the list of keys. Both are loaded when they are first opened. */
export function useFinder() {
  const [Opened, setOpened] = useState<Opened>()
  const show = useToast()
  const open = (load: () => Promise<Opened>) =>
    void loaded(load).then(
      (component) => setOpened(() => component),
      ({ message }: Error) => show(message),
    )
  // biome-ignore lint/correctness/useExhaustiveDependencies: `open` does the same each time
  useEffect(() => followKeys({ find: () => open(loadBox), help: () => open(loadKeys) }), [])
  return {
    open: () => open(loadBox),
    element: Opened && <Opened onClose={() => setOpened(undefined)} />,
  }
}

const key = /Mac|iPhone|iPad/.test(navigator.platform) ? texts.find.macKey : texts.find.key

export const FindButton = ({ onOpen }: { onOpen(): void }) => (
  <button type="button" className="find-button" onClick={onOpen} aria-keyshortcuts="Control+K Meta+K /">
    <Search />
    {texts.find.button}
    <span className="kbd" aria-hidden="true">
      {key}
    </span>
  </button>
)

/** Leads to the first row of a view's list, past its filters. Views without a list do not show it. */
export const SkipToList = () => (
  // biome-ignore lint/a11y/useValidAnchor: it leads to the rows; the fragment would become part of the address
  <a
    className="skip to-list"
    href="#content"
    onClick={(event) => {
      event.preventDefault()
      toFirstRow()
    }}
  >
    {texts.shell.skipToList}
  </a>
)
