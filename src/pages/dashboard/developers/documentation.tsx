import { serviceAddress } from '../address.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'

const { documentation: words } = texts.developers

const links = [
  { href: 'docs', ...words.rest },
  { href: 'v1/openapi.json', ...words.openapi },
  { href: 'v1/openapi.superset.json', ...words.allFields },
  { href: 'graphql', ...words.graphiql },
]

/** GraphiQL is opened with the program, signed in as the person. */
export function Documentation() {
  const { program } = useProgram()
  const addressOf = (href: string) => serviceAddress(href === 'graphql' ? `graphql?program=${program.slug}` : href)
  return (
    <Card title={words.title}>
      <ul className="entries">
        {links.map(({ href, name, text }) => (
          <li key={href}>
            <div>
              <a className="entry-title" href={addressOf(href)} target="_blank" rel="noreferrer">
                {name}
              </a>
              <p className="quiet">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
