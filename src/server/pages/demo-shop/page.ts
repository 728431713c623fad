import { escapeHtml } from '../../../kernel/escape-html.ts'
import { bar, lookHead } from '../look/frame.ts'
import { priceCents } from './sell.ts'

type Shop = { name: string; slug: string; publishableKey: string; people: { name: string; token: string }[] }

/** URLs are relative, for proxies with a path. Nothing is inline, for a strict Content-Security-Policy. */
export function page({ name, slug, publishableKey, people }: Shop): string {
  const [first, second] = people
  const links = people.map(
    ({ name: who, token }) =>
      `<a class="button" href="shop?via=${escapeHtml(token)}">Follow ${escapeHtml(who)}’s link</a>`,
  )
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(name)} · demo shop</title>
    ${lookHead('../')}
    <link rel="stylesheet" href="shop/shop.css">
    <script src="shop/shop.js"></script>
    <script async src="../track.js" data-key="${escapeHtml(publishableKey)}"></script>
  </head>
  <body>
    ${bar('../')}
    <div class="shop">
    <main>
      <p class="eyebrow">Demo shop</p>
      <h1>${escapeHtml(name)}</h1>
      <p>An example of a shop that uses Tributary. It loads the tracking script. Go from an affiliate’s link to a sale, and
      see each request and response.</p>
      <ol>
        <li id="visit">
          <h2>Visit</h2>
          <p>${first ? `Affiliates share links such as <code>/r/${escapeHtml(slug)}/${escapeHtml(first.token)}</code>. They redirect to the campaign’s page, where the script reads <code>via</code>. Here, this shop is that page.` : 'This program has no affiliates yet.'}</p>
          <p class="actions">${links.join('\n            ')}</p>
          <dl aria-live="polite">
            <div><dt>Referral</dt><dd><output id="referral">…</output></dd></div>
            <div><dt>Cookie</dt><dd><output id="cookie">…</output></dd></div>
          </dl>
          <pre tabindex="0" aria-label="Request and response of the visit" hidden></pre>
          ${second ? '<p class="hint">Then follow the second link: the last click wins. Following the same link twice records no second visit.</p>' : ''}
        </li>
        <li id="lead">
          <h2>Lead</h2>
          <p>Signing up calls <code>tributary.convert({email, name})</code>. A later sale to this e-mail address is attributed to the referral.</p>
          <form>
            <p><label for="name">Name</label><input id="name" name="name" autocomplete="off" value="Grace Hopper"></p>
            <p><label for="email">E-mail</label><input id="email" name="email" type="email" required autocomplete="off" value="grace@example.com"></p>
            <p class="actions"><button>Sign up</button></p>
          </form>
          <p class="status" role="status"></p>
          <pre tabindex="0" aria-label="Request and response of the sign-up" hidden></pre>
        </li>
        <li id="sale">
          <h2>Sale</h2>
          <p>The page sends the referral’s id to the shop’s own server, which reports the sale. Only that server has the secret
          API key.</p>
          <p class="actions"><button type="button" id="buy">Buy for ${(priceCents / 100).toFixed(2)} USD</button></p>
          <p class="status" role="status"></p>
          <pre tabindex="0" aria-label="Request and response of the sale" hidden></pre>
        </li>
      </ol>
      <p class="actions"><button type="button" class="quiet" id="again">Start over as a new visitor</button></p>
    </main>
    <noscript><p>Tracking in the browser needs JavaScript. Redirect links work without it.</p></noscript>
    </div>
  </body>
</html>
`
}
