import type { Answer } from '../../http/answer.ts'
import type { Incoming } from '../../http/incoming.ts'
import { publishableKeyPrefix } from '../../modules/programs/publishable-key.ts'

/** What a program's own host has beside its page of applications: the portal, links, and what both load. */
const shared = ['/portal', '/mail', '/r', '/track', '/track.js', '/look', '/healthz']

/**
 * What is not answered on the host of a program: the dashboard, REST, GraphiQL, and pages of other programs. Null: the
 * path is answered as on the service's own host.
 */
export function answerOnPortalHost(incoming: Incoming, slug: string): Answer | null {
  const { method, path, search } = incoming
  if (path === '/') return redirectTo(`portal?program=${slug}`)
  if (path === '/join' || path === '/join/') return redirectTo(`/join/${slug}`)
  const isShared = shared.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  // The page loads files from `/join/`, whose names are no slugs.
  const isJoin = isOwn(path, `/join/${slug}`) || /^\/join\/(confirm(\/program)?|[\w-]+\.(css|js))$/.test(path)
  const isOther =
    (path === '/portal' && new URLSearchParams(search).getAll('program').some((name) => name.toLowerCase() !== slug)) ||
    (path.startsWith('/r/') && !path.startsWith(`/r/${publishableKeyPrefix}`) && !isOwn(path, `/r/${slug}`))
  const isQuery = path === '/graphql' && method !== 'GET' && /^Bearer /i.test(incoming.header('authorization') ?? '')
  return (isShared && !isOther) || isJoin || isQuery ? null : nothing
}

/** Slugs are compared without regard to case. */
const isOwn = (path: string, own: string) => `${path.toLowerCase()}/`.startsWith(`${own}/`)

const redirectTo = (location: string): Answer => ({ status: 302, headers: { Location: location }, body: '' })

const nothing: Answer = {
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: 'Nothing is at this address.\n',
}
