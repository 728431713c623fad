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
    <link rel="icon" type="image/svg+xml" href="${assets}/icon.svg">
    <link rel="stylesheet" href="${assets}/swagger-ui.css">
    <link rel="stylesheet" href="${assets}/page.css">
  </head>
  <body>
    <header class="bar">
      <a class="brand" href="docs"><img src="${assets}/icon.svg" alt="" width="28" height="28">Tributary</a>
      <nav>
        <a href="graphql">GraphiQL</a>
        <a href="docs">Contract</a>
        <a href="docs?profile=superset">Superset</a>
        <a href="v1/openapi.json">OpenAPI</a>
      </nav>
    </header>
    <main id="api"><noscript>This page needs JavaScript. You can read <a href="v1/openapi.json">the OpenAPI document</a> without it.</noscript></main>
    <script src="${assets}/swagger-ui-bundle.js"></script>
    <script src="${assets}/start.js"></script>
  </body>
</html>
`

/**
 * Requests from the page go to the page's own origin. The server URL in the document is for other clients and can be a
 * different origin: 127.0.0.1 and localhost, for example.
 */
export const startScript = `const darkScheme = matchMedia('(prefers-color-scheme: dark)')
// Swagger UI has a dark mode, but does not follow the system by itself.
const followScheme = () => document.documentElement.classList.toggle('dark-mode', darkScheme.matches)
darkScheme.addEventListener('change', followScheme)
followScheme()

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

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="7" fill="#0f766e"/>
  <path d="M16 27V15M16 17C16 12 9 12 9 6M16 17c0-5 7-5 7-11" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>
</svg>
`
