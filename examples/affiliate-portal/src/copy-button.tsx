import { useState } from 'react'

/** Copies a text, and says whether it did: a browser may refuse. */
export function CopyButton({ text }: { text: string }) {
  const [told, tell] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => tell('Copied'),
      () => tell('Could not copy'),
    )
  return (
    <>
      <button type="button" onClick={copy} aria-label={`Copy ${text}`}>
        Copy
      </button>{' '}
      <span role="status">{told}</span>
    </>
  )
}
