import { useRef } from 'react'

/** Something to take along: a link, a code. */
export function Copyable({ text, what, onSay }: { text: string; what: string; onSay(said: string): void }) {
  const shown = useRef<HTMLElement>(null)
  async function copy() {
    onSay('')
    try {
      await navigator.clipboard.writeText(text)
      onSay(`Copied: ${text}`)
    } catch {
      // Over plain http, or where the reader said no: they can still copy it by hand.
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
      onSay('Your browser does not let this page copy. It is selected: press Ctrl+C, or Command+C.')
    }
  }
  return (
    <div className="copyable">
      <code ref={shown}>{text}</code>
      <button type="button" onClick={copy}>
        Copy<span className="unseen"> {what}</span>
      </button>
    </div>
  )
}
