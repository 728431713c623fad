import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type MailTextRowFragment, MailTextsDocument } from '../../../../generated/dashboard/mails/texts/graphql.ts'
import { defaultLanguage, type Language, languageName, languageOf, languages } from '../../../../kernel/languages.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { action } from '../../api/action.ts'
import { useAction, useData } from '../../api/use-data.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import { kindName } from '../kind-name.ts'
import { MailTextForm } from './form.tsx'

const words = texts.mails.texts

/** The texts of all kinds of mails in one language, and which kinds are sent. */
export function MailTexts() {
  const { program, canChange } = useProgram()
  const [language, setLanguage] = useState<Language>(languageOf(program.locale) ?? defaultLanguage)
  const { data, failure, retry } = useData(MailTextsDocument, { language })
  const [opened, setOpened] = useState<MailTextRowFragment>()
  const close = () => setOpened(undefined)
  return (
    <Page
      title={words.title}
      lead={
        <>
          <Link to="/$program/mails" params={{ program: program.slug }}>
            {texts.views.mails}
          </Link>{' '}
          {words.lead}
        </>
      }
      actions={
        <label>
          {words.language}{' '}
          <select value={language} onChange={({ target }) => setLanguage(languageOf(target.value) ?? defaultLanguage)}>
            {languages.map((one) => (
              <option key={one} value={one} lang={one}>
                {languageName(one)}
              </option>
            ))}
          </select>
        </label>
      }
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton lines={8} />}
      {data && (
        <div className="list">
          <Table
            caption={words.caption(languageName(language))}
            columns={columnsOf(canChange, setOpened)}
            rows={data.mailTexts.filter((row) => row.language === language)}
            keyOf={({ kind }) => kind}
          />
        </div>
      )}
      <Dialog
        title={opened ? kindName(opened.kind) : ''}
        lead={opened && languageName(languageOf(opened.language) ?? defaultLanguage)}
        isOpen={!!opened}
        onClose={close}
      >
        {opened && <MailTextForm row={opened} onDone={close} />}
      </Dialog>
    </Page>
  )
}

const columnsOf = (
  canChange: boolean,
  onOpen: (row: MailTextRowFragment) => void,
): readonly Column<MailTextRowFragment>[] => [
  { name: words.kind, cell: ({ kind }) => kindName(kind) },
  { name: words.subject, cell: ({ subject, language }) => <span lang={language}>{subject}</span> },
  {
    name: words.state,
    isPlain: true,
    cell: ({ isOn, isEdited }) => (
      <>
        <Badge tone={isOn ? 'good' : 'plain'}>{isOn ? words.on : words.off}</Badge>
        {isEdited && <span className="quiet second-line">{words.edited}</span>}
      </>
    ),
  },
  {
    name: texts.actions,
    isPlain: true,
    className: 'row-actions',
    cell: (row) =>
      canChange && (
        <>
          <button type="button" onClick={() => onOpen(row)}>
            {words.edit}
            <span className="unseen"> {kindName(row.kind)}</span>
          </button>
          {row.canBeOff && <Switch row={row} />}
        </>
      ),
  },
]

/** Turns a kind on or off, in all languages. */
function Switch({ row: { kind, isOn } }: { row: MailTextRowFragment }) {
  const [update, isRunning] = useAction(action('updateMailKind'))
  const show = useToast()
  async function turn() {
    const { failure } = await update({ input: { kind, isOn: !isOn } })
    show(failure ?? texts.saved)
  }
  return (
    <button type="button" disabled={isRunning} onClick={turn}>
      {isOn ? words.turnOff : words.turnOn}
      <span className="unseen"> {kindName(kind)}</span>
    </button>
  )
}
