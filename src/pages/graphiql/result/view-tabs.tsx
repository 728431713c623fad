import { type View, views } from './view.ts'

const titles: Record<View, string> = { json: 'JSON', table: 'Table', chart: 'Chart' }

/** Tabs as of the ARIA pattern: one stop for the Tab key, and arrow keys to move between tabs. */
export function ViewTabs({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  const moveFocus = (event: React.KeyboardEvent<HTMLElement>) => {
    const current = views.indexOf(view)
    const steps: Record<string, number> = {
      ArrowRight: current + 1,
      ArrowLeft: current - 1,
      Home: 0,
      End: views.length - 1,
    }
    const target = steps[event.key]
    if (target === undefined) return
    event.preventDefault()
    const next = views[(target + views.length) % views.length] as View
    onChange(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <div className="view-tabs" role="tablist" aria-label="Show the result as" onKeyDown={moveFocus}>
      {views.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          id={`tab-${one}`}
          aria-selected={one === view}
          aria-controls={`view-${one}`}
          tabIndex={one === view ? 0 : -1}
          onClick={() => onChange(one)}
        >
          {titles[one]}
        </button>
      ))}
    </div>
  )
}
