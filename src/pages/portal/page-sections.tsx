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
        ['payout-address', texts.payout.title],
        ['account', texts.account.title],
      ].map(([id, title]) => (
        <li key={id}>
          <a href={`#${id}`}>{title}</a>
        </li>
      ))}
    </ul>
  </nav>
)
