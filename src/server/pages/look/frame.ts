const ways = [
  { href: 'dashboard', name: 'Dashboard' },
  { href: 'graphql', name: 'GraphiQL' },
  { href: 'docs', name: 'REST API' },
]

const themes = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

/**
 * What the head of each page has that is not a bundle. The script is not deferred: it sets the theme before the page is
 * shown.
 * @param base the way from the address that was asked for up to `/`, such as `../../`
 */
export const lookHead = (base: string) => `<link rel="icon" type="image/svg+xml" href="${base}look/icon.svg">
    <link rel="stylesheet" href="${base}look/style.css">
    <script src="${base}look/theme.js"></script>`

/** The bar at the top, with the ways to other pages. The choice of the theme is hidden until the script runs. */
export const bar = (base: string, current?: string) => `<header class="bar">
      <a class="brand" href="${base || './'}"><img src="${base}look/icon.svg" alt="" width="26" height="26">Tributary</a>
      <div class="bar-end">
      <nav aria-label="Tributary">
        ${ways.map(({ href, name }) => `<a href="${base}${href}"${href === current ? ' aria-current="page"' : ''}>${name}</a>`).join('\n        ')}
      </nav>
      <label class="theme" hidden><span class="unseen">Colors</span><select data-theme-choice>${themes.map(([value, name]) => `<option value="${value}">${name}</option>`).join('')}</select></label>
      </div>
    </header>`
