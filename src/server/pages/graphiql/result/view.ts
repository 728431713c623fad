/** How a result is shown. */
export type View = 'json' | 'table' | 'chart'
export const views: readonly View[] = ['json', 'table', 'chart']

/**
 * The view that a query asks for in a comment of its own: `# view: chart`. It is part of the query's text, so that it goes
 * with a link and stays with a tab.
 */
export function viewOf(query: string): View | undefined {
  const [, wanted] = /^[ \t]*#[ \t]*view:[ \t]*(json|table|chart)[ \t]*$/im.exec(query) ?? []
  return wanted?.toLowerCase() as View | undefined
}
