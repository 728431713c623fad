import { Copy } from 'lucide-react'
import { useRef } from 'react'

type CopyableProps = {
  text: string
  /** What the text is, for screen readers: "coupon ADA20". */
  name: string
  onStatus(status: string): void
}

/** A text with a button that copies it. */
export function Copyable({ text, name, onStatus }: CopyableProps) {
  const code = useRef<HTMLElement>(null)
  async function copy() {
    onStatus('')
    try {
      await navigator.clipboard.writeText(text)
      onStatus(`Copied: ${text}`)
    } catch {
      // Pages over plain HTTP have no clipboard, and users can deny access to it.
      if (code.current) getSelection()?.selectAllChildren(code.current)
      onStatus('Your browser blocked copying. The text is selected: press Ctrl+C or Command+C.')
    }
  }
  return (
    <div className="copyable">
      <code ref={code}>{text}</code>
      <button type="button" onClick={copy}>
        <Copy />
        Copy<span className="unseen"> {name}</span>
      </button>
    </div>
  )
}
