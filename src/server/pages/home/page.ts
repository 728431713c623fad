import { bar, lookHead } from '../look/frame.ts'

type Way = { href: string; name: string; meaning: string }

const ways: Way[] = [
  {
    href: 'dashboard',
    name: 'Dashboard',
    meaning: 'Run a program: affiliates, campaigns, sales, commissions and payouts. Needs an account.',
  },
  {
    href: 'graphql',
    name: 'GraphiQL',
    meaning: 'Explore the data of a program with queries, tables and charts. Needs an API key.',
  },
  {
    href: 'docs',
    name: 'REST API',
    meaning: 'The reference of the documented API, and a way to try it. Needs an API key to send requests.',
  },
  {
    href: 'docs?profile=superset',
    name: 'REST API, all fields',
    meaning: 'The same with all fields, for clients that were written for other affiliate services.',
  },
  {
    href: 'portal',
    name: 'Affiliate portal',
    meaning:
      'Where affiliates see their links, commissions and payouts. They sign in with a link that the program sends.',
  },
]
const demoShop: Way = {
  href: 'demo/shop',
  name: 'Demo shop',
  meaning: 'Try tracking from a visit to a sale, with the demo program.',
}

/** The page at `/`. All addresses are relative, so that it works behind a proxy path. */
export const homePage = (hasDemoShop: boolean) =>
  frame({
    title: 'Tributary',
    base: '',
    content: `<h1>Tributary</h1>
      <p>This server runs affiliate programs.</p>
      ${listOf('', hasDemoShop ? [...ways, demoShop] : ways)}
      <p>An operator creates API keys with <code>npx tributary create-key</code>.</p>`,
  })

/** @param base the way from the address that was asked for up to `/`, such as `../../` */
export const notFoundPage = (base: string) =>
  frame({
    title: 'Not found · Tributary',
    base,
    content: `<h1>Not found</h1>
      <p>Nothing is at this address. These pages exist:</p>
      ${listOf(base, ways)}`,
  })

const listOf = (base: string, entries: readonly Way[]) => `<ul>
        ${entries.map(({ href, name, meaning }) => `<li><a href="${base}${href}">${name}</a><p>${meaning}</p></li>`).join('\n        ')}
      </ul>`

/** Nothing is inline, so that the Content-Security-Policy can be strict. */
const frame = ({ title, base, content }: { title: string; base: string; content: string }) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    ${lookHead(base)}
  </head>
  <body>
    ${bar(base)}
    <main class="front">
      ${content}
    </main>
  </body>
</html>
`
