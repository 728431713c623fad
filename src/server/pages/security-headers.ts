/** For every file of a page and every public document. */
export const contentSecurity = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' }

type Exceptions = {
  defaultSource?: "'self'"
  formAction?: "'self'"
  /** Whether requests to this origin name the page they come from. */
  sendsReferrer?: boolean
  /** The origins whose pages may show the page in a frame. */
  frameOrigins?: readonly string[] | undefined
}

/** For pages: nothing of other origins, a frame only for origins that are named, and only what the directives allow. */
export const pageSecurity = (
  directives: readonly string[],
  { defaultSource, formAction, sendsReferrer = false, frameOrigins = [] }: Exceptions = {},
): Record<string, string> => ({
  ...contentSecurity,
  // For scanners and old browsers, which do not know frame-ancestors. It cannot name origins.
  ...(frameOrigins.length === 0 && { 'X-Frame-Options': 'DENY' }),
  ...(sendsReferrer && { 'Referrer-Policy': 'same-origin' }),
  'Content-Security-Policy': [
    `default-src ${defaultSource ?? "'none'"}`,
    ...directives,
    "base-uri 'none'",
    `form-action ${formAction ?? "'none'"}`,
    `frame-ancestors ${frameOrigins.length === 0 ? "'none'" : frameOrigins.join(' ')}`,
  ].join('; '),
})
