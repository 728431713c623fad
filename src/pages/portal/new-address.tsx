import { useState } from 'react'
import { CreateMyLinkDocument, type OverviewQuery } from '../../generated/portal/graphql.ts'
import { Field, SaveForm, TextField } from './fields.tsx'
import { Shareable } from './shareable.tsx'
import { texts } from './texts.ts'
import { type Problems, useSave } from './use-save.ts'

export type Link = OverviewQuery['me']['links']['nodes'][number]

/** As the service writes it: see `createMyLink`. */
function addressOf({ url, token }: Link, page: string | null, sub: string | null): string {
  const address = new URL(page ?? url)
  if (page !== null) address.searchParams.set('via', token)
  if (sub !== null) address.searchParams.set('sub', sub)
  return address.href
}

/** What the service rejects for a new link, for an address with an existing one. */
function problemsOf({ url }: Link, page: string | null, sub: string | null): Problems {
  const { host } = new URL(url)
  const isOther = page !== null && (!URL.canParse(page) || new URL(page).host !== host)
  const isWrong = sub !== null && !/^[\w.~-]{1,100}$/.test(sub)
  return { ...(isOther && { url: texts.links.otherSite(host) }), ...(isWrong && { sub: texts.links.notSub }) }
}

type NewAddressProps = { links: readonly Link[]; onChanged(): void; onStatus(status: string): void }

/** Makes the address of a page: with a new link, or with one that exists. */
export function NewAddress({ links, onChanged, onStatus }: NewAddressProps) {
  const words = texts.links
  const [address, setAddress] = useState<string | null>(null)
  const [chosen, setChosen] = useState('')
  const link = links.find(({ id }) => id === chosen)
  const saving = useSave(
    CreateMyLinkDocument,
    ({ token = null, url = null, sub = null }) => {
      setAddress(null)
      if (!link) return { input: { token, url, sub } }
      const problems = problemsOf(link, url, sub)
      if (Object.keys(problems).length === 0) setAddress(addressOf(link, url, sub))
      return { problems }
    },
    ({ createMyLink }) => {
      setAddress(createMyLink?.url ?? null)
      onChanged()
      return ''
    },
  )
  const { problems } = saving
  return (
    <details className="new-address">
      <summary>{words.new}</summary>
      <SaveForm saving={saving} action={words.create}>
        <Field name="link" label={words.link} problem={undefined}>
          {(control) => (
            <select {...control} value={chosen} onChange={({ target }) => setChosen(target.value)}>
              <option value="">{words.aNewLink}</option>
              {links.map(({ id, token }) => (
                <option key={id} value={id}>
                  {token}
                </option>
              ))}
            </select>
          )}
        </Field>
        {!link && <TextField name="token" label={words.token} hint={words.tokenHint} problem={problems.token} />}
        <TextField name="url" type="url" label={words.page} hint={words.pageHint} problem={problems.url} />
        <TextField name="sub" label={words.sub} hint={words.subHint} problem={problems.sub} />
      </SaveForm>
      {address !== null && (
        <div className="made">
          <p className="quiet">{words.created}</p>
          <Shareable url={address} name={words.address} fileName="link" onStatus={onStatus} />
        </div>
      )}
    </details>
  )
}
