import { Dialog } from '@base-ui/react/dialog'
import { Outlet, useLocation } from '@tanstack/react-router'
import { Menu, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ThemeChoice } from '../../parts/theme-choice.tsx'
import { texts } from '../texts.ts'
import { useInertPage } from '../ui/inert-page.ts'
import { FindButton, SkipToList, useFinder } from './finder.tsx'

type ShellProps = {
  /** What the navigation begins with: the program, or the name of the dashboard. */
  top: ReactNode
  navigation: ReactNode
  account: ReactNode
}

/** The frame of all views: navigation at the left; below 800 pixels behind a button. */
export function Shell({ top, navigation, account }: ShellProps) {
  const main = useRef<HTMLElement>(null)
  const finder = useFinder()
  return (
    <div className="shell">
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to the content; the fragment would become part of the address */}
      <a
        className="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {texts.shell.skip}
      </a>
      <SkipToList />
      <header className="sidebar">
        {top}
        <FindButton onOpen={finder.open} />
        <nav aria-label={texts.shell.navigation}>{navigation}</nav>
        <Foot>{account}</Foot>
      </header>
      <header className="topbar">
        <div>{top}</div>
        <FindButton onOpen={finder.open} />
        <Drawer>
          <nav aria-label={texts.shell.navigation}>{navigation}</nav>
          <Foot>{account}</Foot>
        </Drawer>
      </header>
      <main id="content" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      {finder.element}
    </div>
  )
}

const Foot = ({ children }: { children: ReactNode }) => (
  <div className="sidebar-foot">
    {children}
    <ThemeChoice />
  </div>
)

function Drawer({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  useInertPage(isOpen)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new view closes it
  useEffect(() => setOpen(false), [pathname])
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger className="menu-button">
        <Menu />
        {texts.shell.menu}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="drawer">
          <div className="dialog-head">
            <Dialog.Title>{texts.shell.menu}</Dialog.Title>
            <Dialog.Close className="plain close" aria-label={texts.close}>
              <X />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
