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
      <svg
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {isMaximised ? (
          <path d="M17 8h-5V3M3 12h5v5M12 8l5-5M8 12l-5 5" />
        ) : (
          <path d="M12 3h5v5M8 17H3v-5M17 3l-5 5M3 17l5-5" />
        )}
      </svg>
    </button>
  )
}
