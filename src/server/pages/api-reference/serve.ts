import { type Assets, answerAsset } from '../../../http/assets.ts'
import { answerContent, type Content, contentOf } from '../../../http/conditional.ts'
import { createOpenApiDocument } from '../../../rest/openapi/document.ts'
import { descriptionPaths } from '../../../rest/routes.ts'
import { readAssets } from './assets.ts'
import { page } from './page.ts'

/** Nothing from another origin, no inline script, no frame around it. Swagger UI's icons are data: images. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const security = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' }

type Profile = keyof typeof descriptionPaths

export type AnswerDocs = (request: Request, url: URL) => Promise<Response | null>

/**
 * Answers what documents the API and needs no key: the OpenAPI document, and the page that shows it with its files.
 * Nothing is made before somebody asks for it.
 */
export function createDocs(publicUrl: () => string): AnswerDocs {
  const documents = new Map<string, Content>()
  let assets: Promise<Assets> | undefined
  const theAssets = () => {
    assets ??= readAssets()
    return assets
  }
  return async (request, { pathname }) => {
    const profile = profileOf(pathname.replace(/\/$/, ''))
    if (profile) return answerContent(request, documentFor(publicUrl(), profile, documents))
    // Addresses in the page are relative to /docs; the target is relative too, for a proxy that adds a path before it.
    if (pathname === '/docs/') return new Response(null, { status: 308, headers: { Location: '../docs' } })
    if (pathname === '/docs') return answerContent(request, pageOf((await theAssets()).version))
    return pathname.startsWith('/docs/') ? answerAsset(request, pathname, await theAssets(), security) : null
  }
}

/** The profile that the document at this address describes. */
const profileOf = (pathname: string): Profile | undefined =>
  (Object.keys(descriptionPaths) as Profile[]).find((name) => pathname === `/v1${descriptionPaths[name]}`)

function documentFor(publicUrl: string, profile: Profile, documents: Map<string, Content>): Content {
  const key = `${profile} ${publicUrl}`
  const known = documents.get(key)
  if (known) return known
  const content = contentOf(JSON.stringify(createOpenApiDocument(publicUrl, profile)), {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache',
    ...security,
  })
  documents.set(key, content)
  return content
}

const pageOf = (version: string) =>
  contentOf(page(`docs/${version}`), {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': contentSecurityPolicy,
    ...security,
  })
