import { priceCents } from './sell.ts'

type Shop = { name: string; slug: string; publishableKey: string; people: { name: string; token: string }[] }

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Addresses are relative, so that the page works below a path of a proxy too; nothing is inline, so that its policy can be strict. */
export function page({ name, slug, publishableKey, people }: Shop): string {
  const [first, second] = people
  const links = people.map(
    ({ name: who, token }) =>
      `<a class="button" href="shop?via=${escaped(token)}">Come through ${escaped(who)}’s link</a>`,
  )
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escaped(name)} · demo shop</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="shop/shop.css">
    <script src="shop/shop.js"></script>
    <script async src="../track.js" data-key="${escaped(publishableKey)}"></script>
  </head>
  <body>
    <header>
      <p class="eyebrow">Demo shop</p>
      <h1>${escaped(name)}</h1>
      <p>A page as a customer of Tributary would have it. It loads the tracking script; walk from an affiliate’s link to a
      sale, and see what is sent and what is answered.</p>
    </header>
    <main>
      <ol>
        <li id="visit">
          <h2>Visit</h2>
          <p>${first ? `Affiliates send people with links such as <code>/r/${escaped(slug)}/${escaped(first.token)}</code>. They lead to the campaign’s page, where the script reads <code>via</code>. This shop stands in for that page.` : 'This program has no affiliate yet.'}</p>
          <p class="actions">${links.join('\n            ')}</p>
          <dl aria-live="polite">
            <div><dt>Referral</dt><dd><output id="referral">…</output></dd></div>
            <div><dt>Cookie</dt><dd><output id="cookie">…</output></dd></div>
          </dl>
          <pre tabindex="0" aria-label="What the visit sent and got" hidden></pre>
          ${second ? '<p class="hint">Come through the second link afterwards: the last click wins. The same link twice makes no second visit.</p>' : ''}
        </li>
        <li id="lead">
          <h2>Lead</h2>
          <p>Signing up calls <code>tributary.convert({email, name})</code>. A later sale with this e-mail belongs to the referral.</p>
          <form>
            <p><label for="name">Name</label><input id="name" name="name" autocomplete="off" value="Grace Hopper"></p>
            <p><label for="email">E-mail</label><input id="email" name="email" type="email" required autocomplete="off" value="grace@example.com"></p>
            <p class="actions"><button>Sign up</button></p>
          </form>
          <p class="status" role="status"></p>
          <pre tabindex="0" aria-label="What the sign-up sent and got" hidden></pre>
        </li>
        <li id="sale">
          <h2>Sale</h2>
          <p>The page hands the referral’s id to the shop’s own server, which reports the sale. There is the secret key; it is
          never in a page.</p>
          <p class="actions"><button type="button" id="buy">Buy for ${(priceCents / 100).toFixed(2)} USD</button></p>
          <p class="status" role="status"></p>
          <pre tabindex="0" aria-label="What the sale sent and got" hidden></pre>
        </li>
      </ol>
      <p class="actions"><button type="button" class="quiet" id="again">Start over as somebody new</button></p>
    </main>
    <noscript><p>Tracking in the browser needs JavaScript; redirect links work without.</p></noscript>
  </body>
</html>
`
}
