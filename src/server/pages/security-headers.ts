/** For every file of a page and every public document. */
export const contentSecurity = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' }

type Exceptions = {
  defaultSource?: "'self'"
  formAction?: "'self'"
  /** Whether requests to this origin name the page they come from. */
  sendsReferrer?: boolean
}

/**
 * For pages: nothing from other origins and no frame around the page. Unless an exception says so, scripts, styles and
 * other sources are allowed only by the given directives.
 */
export const pageSecurity = (
  directives: readonly string[],
  { defaultSource, formAction, sendsReferrer = false }: Exceptions = {},
): Record<string, string> => ({
  ...contentSecurity,
  // For scanners and old browsers, which do not know frame-ancestors.
  'X-Frame-Options': 'DENY',
  ...(sendsReferrer && { 'Referrer-Policy': 'same-origin' }),
  'Content-Security-Policy': [
    `default-src ${defaultSource ?? "'none'"}`,
    ...directives,
    "base-uri 'none'",
    `form-action ${formAction ?? "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; '),
})
