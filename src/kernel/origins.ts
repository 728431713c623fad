export function isHttpUrl(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value)
}

/** As browsers send it: without a path and a trailing slash. */
export function isOrigin(value: string): boolean {
  return isHttpUrl(value) && new URL(value).origin === value
}

export const allowsAll = (origins: string[]) => origins.length === 1 && origins[0] === '*'
