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
      <a href="docs">Documented fields</a>
      <a href="docs?profile=superset">All fields</a>
      <a href="v1/openapi.json">OpenAPI</a>
    </nav>
    <div id="api"><noscript><p>This page needs JavaScript. You can read <a href="v1/openapi.json">the OpenAPI document</a> without it.</p></noscript></div>
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

// What Swagger UI leaves out for screen readers: names, landmarks, the level of headings, and no link inside a button.
const missing = {
  '#servers': { 'aria-label': 'Server' },
  '.information-container': { role: 'region', 'aria-label': 'About this API' },
  '.scheme-container': { role: 'region', 'aria-label': 'Server and access' },
  'h3.opblock-tag': { 'aria-level': '2' },
  '.opblock-summary-control a[href]': { href: null },
  'pre.microlight': { tabindex: '0' },
  '.models h4': { 'aria-level': '2' },
  '.opblock-section-header h4': { 'aria-level': '3' },
  '.opblock-body h5': { 'aria-level': '4' },
  '.responses-inner > div > h4': { 'aria-level': '4' },
}
function mend() {
  for (const [selector, attributes] of Object.entries(missing))
    for (const element of document.querySelectorAll('#api ' + selector))
      for (const [name, value] of Object.entries(attributes)) {
        if (value === null) element.removeAttribute(name)
        else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
      }
  for (const field of document.querySelectorAll('#api tr[data-param-name] :is(select, input, textarea):not([aria-label])'))
    field.setAttribute('aria-label', field.closest('tr').dataset.paramName)
}
new MutationObserver(mend).observe(document.getElementById('api'), { childList: true, subtree: true })

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
  // Its colours are not readable in both themes.
  syntaxHighlight: { activated: false },
  persistAuthorization: false,
  responseInterceptor: useOwnOrigin,
})
`
