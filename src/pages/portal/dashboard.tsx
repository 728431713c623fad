import { type ReactNode, useContext, useEffect } from 'react'
import { OverviewDocument, type OverviewQuery, UpdateMeDocument } from '../../generated/portal/graphql.ts'
import { languageOf } from '../../kernel/languages.ts'
import { isFramed } from '../embed/frame.ts'
import { TermsToAccept } from './accept-terms.tsx'
import { Account, MailChoices } from './account.tsx'
import { Assets } from './assets.tsx'
import { Brand } from './brand.tsx'
import { CommissionTotals } from './commission-totals.tsx'
import { Commissions } from './commissions.tsx'
import { Deal } from './deal.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { Invite } from './invite.tsx'
import { LanguageChoice, useLanguage } from './language-choice.tsx'
import { Leaderboard } from './leaderboard.tsx'
import { Links } from './links.tsx'
import { PageSections, useSection } from './page-sections.tsx'
import { PayoutAddressAndTax } from './payout-address.tsx'
import { PayoutsAndStatements } from './payouts.tsx'
import { Performance } from './performance.tsx'
import { Sessions } from './sessions.tsx'
import { setLanguage, texts, writeNumbersFor } from './texts.ts'
import { useCurrencies } from './use-currencies.ts'
import { QueryContext, useQuery } from './use-query.ts'
import { ViewOnly, ViewOnlyBar } from './view-only.tsx'

type DashboardProps = {
  /** Buttons at the right end of the page's header. */
  actions?: ReactNode
  /** More sections, shown after the totals. */
  children?: ReactNode
}

/** Everything that an affiliate sees about themselves. It needs a QueryContext around it. */
export function Dashboard({ actions, children }: DashboardProps) {
  const { data, failure, isLoading, retry } = useQuery(OverviewDocument, {})
  const runQuery = useContext(QueryContext)
  useLanguage()
  const me = data?.me
  useSection(me !== undefined)
  const own = languageOf(me?.language ?? '')
  useEffect(() => {
    if (own) void setLanguage(own)
  }, [own])
  const title = me && texts.titleOf(me.program.name)
  useEffect(() => {
    if (title) document.title = title
  }, [title])
  return (
    <ViewOnly value={me?.isViewOnly ?? false}>
      <a className="skip" href="#dashboard">
        {texts.skip}
      </a>
      {me?.isViewOnly && <ViewOnlyBar />}
      <header className="top">
        <Brand name={me?.program.name} otherwise={texts.title} />
        <div className="who">
          {me && (
            <p>
              <span className="unseen">{texts.signedInAs} </span>
              {[me.firstName, me.lastName].filter(Boolean).join(' ') || me.email}
            </p>
          )}
          <LanguageChoice
            onChosen={(language) =>
              !me?.isViewOnly && runQuery(UpdateMeDocument, { input: { language } }).catch(() => {})
            }
          />
          {actions}
        </div>
      </header>
      {/* The page around a frame scrolls, which a link in the frame cannot do. */}
      {me && !isFramed && <PageSections />}
      <main id="dashboard" tabIndex={-1} aria-busy={isLoading}>
        {failure && <FailureNotice failure={failure} onRetry={retry} />}
        {!me && isLoading && (
          <p role="status" className="quiet">
            {texts.loadingDashboard}
          </p>
        )}
        {me && (
          <Sections me={me} onChanged={retry}>
            {children}
          </Sections>
        )}
      </main>
    </ViewOnly>
  )
}

type SectionsProps = { me: OverviewQuery['me']; onChanged(): void; children: ReactNode }

function Sections({ me, onChanged, children }: SectionsProps) {
  // Formats are called while the sections render, so the locale is set before them.
  writeNumbersFor(me.program.locale)
  const { data: currencies, failure, retry } = useCurrencies(me.program.currency)
  return (
    <>
      <div className="hello">
        <h1>{texts.hello(me.firstName)}</h1>
        <p className="quiet">
          {me.email} · {me.campaign.name}
        </p>
      </div>
      {me.termsToAccept && <TermsToAccept terms={me.termsToAccept} onChanged={onChanged} />}
      <Deal terms={me.campaign} />
      {failure && <FailureNotice failure={failure} onRetry={retry} />}
      {currencies?.map((currency) => (
        <CommissionTotals key={currency} currency={currency} isOnly={currencies.length === 1} />
      ))}
      {children}
      {currencies && <Performance currencies={currencies} />}
      {me.program.leaderboardShows !== 'NOTHING' && <Leaderboard me={me} onChanged={onChanged} />}
      <Links links={me.links.nodes} coupons={me.coupons.nodes} onChanged={onChanged} />
      {me.invitationUrl && <Invite url={me.invitationUrl} />}
      <Assets />
      <Commissions />
      <PayoutsAndStatements heldUntil={me.payoutsHeldUntil} />
      <PayoutAddressAndTax me={me} onChanged={onChanged} />
      <Account me={me} onChanged={onChanged} />
      <MailChoices me={me} onChanged={onChanged} />
      <Sessions />
    </>
  )
}
