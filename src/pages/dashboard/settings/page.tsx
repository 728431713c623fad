import { Link } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { useProgram, useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { Imports } from './imports.tsx'
import { OwnFields } from './own-fields.tsx'
import { PayoutServices } from './payout-services.tsx'
import { PayoutSettings } from './payouts.tsx'
import { People } from './people.tsx'
import { ProgramSettings } from './program.tsx'
import { Schedule } from './schedule.tsx'
import { TaxSettings } from './tax.tsx'
import { TaxYear } from './tax-year.tsx'

const words = texts.settings.sections

/** A section of the settings, below the links to all of them. */
function Section({ children }: { children: ReactNode }) {
  const { person } = useSession()
  const { program } = useProgram()
  const link = (section: '' | `/${string}`, name: string) => (
    <Link
      to={`/$program/settings${section}` as '/$program/settings'}
      params={{ program: program.slug }}
      activeOptions={{ exact: true, includeSearch: false }}
      activeProps={{ 'aria-current': 'page' }}
      className="tab"
    >
      {name}
    </Link>
  )
  return (
    <Page title={texts.views.settings} lead={texts.settings.lead}>
      <nav className="tab-list" aria-label={texts.views.settings}>
        {link('', words.program)}
        {link('/fields', words.fields)}
        {link('/payouts', words.payouts)}
        {link('/people', words.people)}
        {person.isOperator && link('/imports', words.imports)}
        {link('/shadow', words.shadow)}
        {link('/history', words.history)}
      </nav>
      {children}
    </Page>
  )
}

const sectionOf = (Content: ComponentType) =>
  function SettingsSection() {
    return (
      <Section>
        <Content />
      </Section>
    )
  }

export const Settings = sectionOf(ProgramSettings)
export const FieldSettings = sectionOf(OwnFields)
export const PayoutSection = sectionOf(() => {
  const { canPay } = useProgram()
  return (
    <>
      <PayoutSettings />
      <PayoutServices />
      <Schedule />
      <TaxSettings />
      {canPay && <TaxYear />}
    </>
  )
})
export const PeopleSettings = sectionOf(People)
export const ImportSettings = sectionOf(Imports)
