/** How a result is shown. */
export type View = 'json' | 'table' | 'chart'
export const views: readonly View[] = ['json', 'table', 'chart']

/**
 * Returns the view that a comment in the query selects: `# view: chart`. It is part of the query, so that links and
 * tabs keep it.
 */
export function viewOf(query: string): View | undefined {
  const [, view] = /^[ \t]*#[ \t]*view:[ \t]*(json|table|chart)[ \t]*$/im.exec(query) ?? []
  return view?.toLowerCase() as View | undefined
}
