import { bar, lookHead } from '../look/frame.ts'

/**
 * The API reference. All URLs are relative, so that it works behind a proxy path. Nothing is inline, so that its
 * Content-Security-Policy can be strict.
 * @param assets the URL of its files, relative to the page
 */
export const page = (assets: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Tributary API</title>
    ${lookHead('')}
    <link rel="stylesheet" href="${assets}/swagger-ui.css">
    <link rel="stylesheet" href="${assets}/page.css">
  </head>
  <body>
    ${bar('', 'docs')}
    <nav class="profiles" aria-label="Versions of the API">
      <a href="docs">Contract</a>
      <a href="docs?profile=superset">Superset</a>
      <a href="v1/openapi.json">OpenAPI</a>
    </nav>
    <main id="api"><noscript>This page needs JavaScript. You can read <a href="v1/openapi.json">the OpenAPI document</a> without it.</noscript></main>
    <script src="${assets}/swagger-ui-bundle.js"></script>
    <script src="${assets}/start.js"></script>
  </body>
</html>
`

/** Requests of the page go to its own origin. The server in the document can have another: 127.0.0.1. */
export const startScript = `const page = document.documentElement
const darkScheme = matchMedia('(prefers-color-scheme: dark)')
// Swagger UI has a dark mode, but follows neither the theme nor the system by itself.
function followTheme() {
  const { theme } = page.dataset
  page.classList.toggle('dark-mode', theme === 'dark' || (theme !== 'light' && darkScheme.matches))
}
darkScheme.addEventListener('change', followTheme)
new MutationObserver(followTheme).observe(page, { attributeFilter: ['data-theme'] })
followTheme()

const isSuperset = new URLSearchParams(location.search).get('profile') === 'superset'
const description = new URL(isSuperset ? 'v1/openapi.superset.json' : 'v1/openapi.json', document.baseURI).href
const ownServer = new URL('v1', document.baseURI).href

function useOwnOrigin(response) {
  if (response.url !== description || !response.ok) return response
  const api = JSON.parse(response.text)
  response.text = JSON.stringify({ ...api, servers: [{ url: ownServer }] })
  return response
}

window.ui = SwaggerUIBundle({
  url: description,
  dom_id: '#api',
  deepLinking: true,
  validatorUrl: null,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  filter: false,
  persistAuthorization: false,
  responseInterceptor: useOwnOrigin,
})
`
