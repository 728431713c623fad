import { type View, views } from './view.ts'

const titles: Record<View, string> = { json: 'JSON', table: 'Table', chart: 'Chart' }

/** Tabs as ARIA has them: one stop for the Tab key, arrows go from one to the next. */
export function ViewTabs({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  const go = (event: React.KeyboardEvent<HTMLElement>) => {
    const at = views.indexOf(view)
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: views.length - 1 }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = views[(to + views.length) % views.length] as View
    onChange(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <div className="view-tabs" role="tablist" aria-label="Show the result as" onKeyDown={go}>
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
