import { useEffect } from 'react'
import { texts } from './texts.ts'

/** Links to the sections that every affiliate has. A phone shows them in one line, which scrolls. */
export const PageSections = () => (
  <nav className="sections" aria-label={texts.onThisPage}>
    <ul>
      {[
        ['performance', texts.performance.title],
        ['links', texts.links.title],
        ['commissions', texts.commissions.title],
        ['payouts', texts.payouts.title],
        ['statements', texts.statements.title],
        ['payout-address', texts.payout.title],
        ['tax', texts.tax.title],
        ['account', texts.account.title],
      ].map(([id, title]) => (
        <li key={id}>
          <a href={`#${id}`}>{title}</a>
        </li>
      ))}
    </ul>
  </nav>
)

const ends = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Keeps the part of the page that the address names, as the buttons of mails do, at the top while the parts above it
 * load. It ends when the person uses the page.
 */
export function useSection(isReady: boolean): void {
  useEffect(() => {
    const id = location.hash.slice(1)
    if (!isReady || id === '') return
    const show = () => document.getElementById(id)?.scrollIntoView()
    const observer = new ResizeObserver(show)
    observer.observe(document.body)
    const end = () => observer.disconnect()
    for (const name of ends) addEventListener(name, end, { once: true, passive: true })
    return () => {
      end()
      for (const name of ends) removeEventListener(name, end)
    }
  }, [isReady])
}
