/** The path of the dashboard, without a slash at the end. A proxy can serve it below a path of its own. */
export const basePath = new URL('..', import.meta.url).pathname.replace(/\/$/, '')

/** The path of the service, which is one level above the dashboard. */
const servicePath = basePath.replace(/\/[^/]*$/, '')

/** The address of something that the service has beside the dashboard: `docs`, `graphql`. */
export const serviceAddress = (path: string): string => `${servicePath}/${path}`

/** The origin and path under which other programs reach the service. */
export const serviceUrl = (path: string): string => new URL(serviceAddress(path), location.href).href

/** Where a sign-in leads to. The first view needs no `next`: that is where it leads anyway. */
export const nextAfter = (href: string) => (href === '/' || href === '' ? undefined : href)
