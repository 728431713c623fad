import { useState } from 'react'
import { AssetsDocument, type AssetsQuery } from '../../generated/portal/graphql.ts'
import { Copyable } from '../parts/copyable.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { texts } from './texts.ts'
import { useQuery } from './use-query.ts'

type Shared = AssetsQuery['me']['assets'][number]

/** What the program gives to share, each with the affiliate's link in it. Nothing if there is nothing. */
export function Assets() {
  const words = texts.assets
  const [status, setStatus] = useState('')
  const { data, failure, retry } = useQuery(AssetsDocument, {})
  const assets = data?.me.assets ?? []
  if (failure) return <FailureNotice failure={failure} onRetry={retry} />
  if (assets.length === 0) return null
  return (
    <section aria-labelledby="assets">
      <h2 id="assets">{words.title}</h2>
      <ul className="links">
        {assets.map((shared) => (
          <OneAsset key={shared.asset.id} shared={shared} onStatus={setStatus} />
        ))}
      </ul>
      {/* Always rendered: screen readers announce changes only in an element that exists already. */}
      <p role="status" className="copy-status">
        {status}
      </p>
    </section>
  )
}

function OneAsset({ shared, onStatus }: { shared: Shared; onStatus(status: string): void }) {
  const { asset, snippet, visitors } = shared
  return (
    <li className="asset">
      <p>
        <strong>{asset.name}</strong> <span className="quiet">{texts.links.visitors(visitors)}</span>
      </p>
      {asset.fileUrl && (
        // The page may be on another host than the address for pages of affiliates.
        <img
          src={new URL(asset.fileUrl).pathname}
          width={asset.width ?? undefined}
          height={asset.height ?? undefined}
          alt={asset.text ?? asset.name}
          loading="lazy"
        />
      )}
      {snippet === null ? (
        <p className="quiet">{texts.links.none}</p>
      ) : (
        <Copyable text={snippet} name={asset.name} onStatus={onStatus} />
      )}
    </li>
  )
}
