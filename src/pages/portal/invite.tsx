import { useState } from 'react'
import { Shareable } from './shareable.tsx'
import { texts } from './texts.ts'

/** The link by which the affiliate invites others to the program. */
export function Invite({ url }: { url: string }) {
  const words = texts.invite
  const [status, setStatus] = useState('')
  return (
    <section aria-labelledby="invite">
      <h2 id="invite">{words.title}</h2>
      <p className="quiet">{words.text}</p>
      <Shareable url={url} name={words.name} fileName="invitation" onStatus={setStatus} />
      <p role="status" className="copy-status">
        {status}
      </p>
    </section>
  )
}
