import { useState } from 'react'
import { MailBodyDocument, type MailRowFragment } from '../../../generated/dashboard/mails/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { action } from '../api/action.ts'
import { useAction, useData } from '../api/use-data.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Moment } from '../ui/moment.tsx'
import { Scrolls } from '../ui/scrolls.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.mails

type MailProps = {
  mail: MailRowFragment
  /** Whether mails of the program are sent. */
  isSent: boolean
  onDone(): void
}

/** A mail as it looks. Only people who can change the program read it: it can hold a link that signs in. */
export function Mail({ mail: { id, state, nextTryAt, error }, isSent, onDone }: MailProps) {
  const { canChange } = useProgram()
  const { data, failure, retry } = useData(MailBodyDocument, { id }, { pause: !canChange })
  const body = data?.mails.nodes.find((one) => one.id === id)
  return (
    <>
      {error && <p className="quiet">{error}</p>}
      {nextTryAt && isSent && (
        <p className="quiet">
          {words.nextTryAt} <Moment at={nextTryAt} />
        </p>
      )}
      {!canChange && <p>{words.managersOnly}</p>}
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {canChange && !body && !failure && <Skeleton lines={6} />}
      {body && (
        <Tabs
          tabs={[
            { key: 'html', name: words.asItLooks, content: <Html html={body.html} /> },
            {
              key: 'text',
              name: words.plainText,
              content: (
                <Scrolls name={words.plainText} className="mail-text">
                  <pre>{body.text}</pre>
                </Scrolls>
              ),
            },
          ]}
        />
      )}
      {canChange && (state === 'FAILED' || state === 'STOPPED') && <Retry id={id} onDone={onDone} />}
    </>
  )
}

function Retry({ id, onDone }: { id: string; onDone(): void }) {
  const [retry, isRunning] = useAction(action('retryMail'))
  const [failed, setFailed] = useState<string>()
  const show = useToast()
  async function again() {
    const { failure } = await retry({ input: { id } })
    setFailed(failure)
    if (failure !== undefined) return
    show(words.retried)
    onDone()
  }
  return (
    <>
      {failed && (
        <p role="alert" className="form-failure">
          {failed}
        </p>
      )}
      <div className="dialog-foot">
        <button type="button" className="primary" disabled={isRunning} onClick={again}>
          {words.retry}
        </button>
      </div>
    </>
  )
}

/**
 * The HTML in a frame without scripts. The frame inherits the Content-Security-Policy of the page, which forbids inline
 * styles in HTML but not those that a script sets. It shows no dark style. Links open in a tab of their own.
 */
export const Html = ({ html }: { html: string }) => (
  <iframe
    className="mail-frame"
    title={words.asItLooks}
    sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
    srcDoc={html.replace(/<style>.*?<\/style>/s, '').replaceAll(' style="', ' data-style="')}
    onLoad={({ currentTarget: frame }) => {
      const page = frame.contentDocument
      if (!page) return
      for (const element of page.querySelectorAll<HTMLElement>('[data-style]'))
        element.style.cssText = element.dataset.style ?? ''
      for (const link of page.links) Object.assign(link, { target: '_blank', rel: 'noopener' })
      frame.style.height = `${page.documentElement.scrollHeight}px`
    }}
  />
)
