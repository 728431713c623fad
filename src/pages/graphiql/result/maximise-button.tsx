import { Maximize2, Minimize2 } from 'lucide-react'
import { useEffect, useState } from 'react'

/** Shows the result over the whole window. Escape shows the editors again. */
export function MaximiseButton({ pane }: { pane: HTMLElement }) {
  const [isMaximised, setIsMaximised] = useState(false)
  useEffect(() => {
    pane.parentElement?.toggleAttribute('data-maximised', isMaximised)
    if (!isMaximised) return
    const restore = (event: KeyboardEvent) => event.key === 'Escape' && setIsMaximised(false)
    addEventListener('keydown', restore)
    return () => removeEventListener('keydown', restore)
  }, [pane, isMaximised])
  return (
    <button
      type="button"
      className="maximise"
      aria-label="Maximise"
      title={isMaximised ? 'Show the editors' : 'Maximise'}
      aria-pressed={isMaximised}
      onClick={() => setIsMaximised(!isMaximised)}
    >
      {isMaximised ? <Minimize2 /> : <Maximize2 />}
    </button>
  )
}
