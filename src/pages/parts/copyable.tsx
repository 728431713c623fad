import { Copy } from 'lucide-react'
import { useRef } from 'react'
import { partTexts } from './texts.ts'

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
      onStatus(partTexts().copied(text))
    } catch {
      // Pages over plain HTTP have no clipboard, and users can deny access to it.
      if (code.current) getSelection()?.selectAllChildren(code.current)
      onStatus(partTexts().copyBlocked)
    }
  }
  return (
    <div className="copyable">
      <code ref={code}>{text}</code>
      <button type="button" onClick={copy}>
        <Copy />
        {partTexts().copy}
        <span className="unseen"> {name}</span>
      </button>
    </div>
  )
}
