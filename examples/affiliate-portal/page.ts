import { createClient } from '../../clients/typescript/src/index.ts'

type Commission = { state: string; amount: { formatted: string }; sale: { customer: { email: string } | null } | null }
type Mine = {
  me: { firstName: string | null; links: { nodes: { url: string }[] }; commissions: { nodes: Commission[] } }
}
const query = `{ me { firstName links { nodes { url } }
  commissions(first: 20) { nodes { state amount { formatted } sale { customer { email } } } } } }`

/** The token is in this variable only. The client asks for another one when it has expired. */
let session: { url: string; token: string } | undefined
const readSession = async (isRenewed: boolean) => {
  if (!session || isRenewed) session = await (await fetch('token', { method: 'POST' })).json()
  return session as NonNullable<typeof session>
}
const line = (tag: string, text: string) => Object.assign(document.createElement(tag), { textContent: text })

try {
  const { url } = await readSession(false)
  const tributary = createClient({ url, key: async (isRefused) => (await readSession(isRefused)).token })
  const { me } = await tributary.graphql<Mine>(query)
  const links = me.links.nodes.map((link) => line('p', link.url))
  const earned = me.commissions.nodes.map(({ state, amount, sale }) =>
    line('p', `${amount.formatted} ${state.toLowerCase()}, from ${sale?.customer?.email ?? 'the program'}`),
  )
  document.querySelector('main')?.append(line('h1', `Hello, ${me.firstName ?? ''}`), ...links, ...earned)
} catch {
  document.querySelector('main')?.append(line('p', 'The service does not answer. Try again later.'))
}
