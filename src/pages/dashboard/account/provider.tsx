import { useEffect, useState } from 'react'
import { basePath } from '../address.ts'
import { get, post } from '../api/post.ts'
import { rejectionOf, type SignInOptions } from '../sign-in/page.tsx'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'

const words = texts.account

/** Links an account of the provider of OpenID Connect, with which the person signs in from then on. */
export function Provider() {
  const [name, setName] = useState<string>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    get<SignInOptions>('auth/options').then(
      ({ oidc }) => setName(oidc?.name),
      () => {},
    )
  }, [])
  if (name === undefined) return null
  const search = new URLSearchParams(location.search)
  const error = search.get('error')
  async function leave() {
    try {
      const errorCallbackURL = `${location.origin}${basePath}/account`
      const body = { provider: 'oidc', callbackURL: `${errorCallbackURL}?linked=yes`, errorCallbackURL }
      const { url } = await post<{ url: string }>('auth/link-social', body)
      location.assign(url)
    } catch (error) {
      setFailure((error as Error).message)
    }
  }
  return (
    <Card
      title={words.provider}
      lead={words.providerLead(name)}
      actions={
        <button type="button" onClick={leave}>
          {words.linkProvider(name)}
        </button>
      }
    >
      {search.has('linked') && <p role="status">{words.providerLinked(name)}</p>}
      {(failure || error) && (
        <p role="alert" className="form-failure">
          {failure ?? rejectionOf(error ?? '', name)}
        </p>
      )}
    </Card>
  )
}
