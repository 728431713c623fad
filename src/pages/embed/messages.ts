/** What a page in a frame sends to the page around it. */
export type ToHost = { tributary: 'ready' | 'expired' } | { tributary: 'height'; height: number }

/** What the page around it sends back. Null: the company's server has no token for this person. */
export type ToFrame = { tributary: 'token'; token: string | null }
