import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatCount } from '../../parts/format.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { useAsked } from '../find/use-asked.ts'
import { InstallationHistory } from '../history/installation.tsx'
import type { Session } from '../session/session.ts'
import { useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { ChangeEmail } from './change-email.tsx'
import { CreateProgram } from './create-program.tsx'
import { ResetPassword } from './reset-password.tsx'

const words = texts.programs

type Row = Session['programs'][number]
const columns: Column<Row>[] = [
  {
    name: texts.fields.name,
    cell: ({ program }) => (
      <Link to="/$program/home" params={{ program: program.slug }}>
        {program.name}
      </Link>
    ),
  },
  { name: words.website, cell: ({ program }) => program.url.replace(/^https?:\/\//, '') },
  { name: words.currency, cell: ({ program }) => program.currency.toUpperCase() },
  { name: words.kind, cell: ({ program }) => (program.isSandbox ? words.sandbox : words.live), isPlain: true },
]

/** For operators: every program of the service. */
export function Programs() {
  const { programs, person } = useSession()
  const [isCreating, setCreating] = useState(false)
  const [isResetting, setResetting] = useState(false)
  const [isChangingEmail, setChangingEmail] = useState(false)
  useAsked('create', () => setCreating(true))
  const create = (
    <button type="button" className="primary" onClick={() => setCreating(true)}>
      {words.create}
    </button>
  )
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        person.isOperator && (
          <>
            <button type="button" onClick={() => setResetting(true)}>
              {words.reset}
            </button>
            <button type="button" onClick={() => setChangingEmail(true)}>
              {words.changeEmail}
            </button>
            {programs.length > 0 && create}
          </>
        )
      }
    >
      {programs.length === 0 ? (
        <Card title={words.first}>
          <Empty title={words.none} text={words.noneText} action={person.isOperator && create} />
        </Card>
      ) : (
        <div className="list">
          <Table
            caption={formatCount(programs.length, 'program')}
            columns={columns}
            rows={programs}
            keyOf={({ program }) => program.id}
          />
        </div>
      )}
      {person.isOperator && <InstallationHistory />}
      <Dialog title={words.create} lead={words.createLead} isOpen={isCreating} onClose={() => setCreating(false)}>
        <CreateProgram />
      </Dialog>
      <Dialog title={words.reset} lead={words.resetLead} isOpen={isResetting} onClose={() => setResetting(false)}>
        <ResetPassword onDone={() => setResetting(false)} />
      </Dialog>
      <Dialog
        title={words.changeEmail}
        lead={words.changeEmailLead}
        isOpen={isChangingEmail}
        onClose={() => setChangingEmail(false)}
      >
        <ChangeEmail onDone={() => setChangingEmail(false)} />
      </Dialog>
    </Page>
  )
}
