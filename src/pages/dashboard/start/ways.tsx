import { type ReactNode, useState } from 'react'

type Way = { key: string; name: string; text: string; content: ReactNode }

/** Two ways to the same end: the chosen one is shown. */
export function Ways({ name, ways, first }: { name: string; ways: readonly Way[]; first?: string }) {
  const [chosen, setChosen] = useState(first ?? ways[0]?.key)
  const way = ways.find(({ key }) => key === chosen)
  return (
    <>
      <fieldset className="start-ways">
        <legend className="unseen">{name}</legend>
        {ways.map((one) => (
          <label key={one.key}>
            <input type="radio" name={name} checked={one.key === chosen} onChange={() => setChosen(one.key)} />
            {one.name}
          </label>
        ))}
      </fieldset>
      {way && (
        <>
          <p className="quiet">{way.text}</p>
          {way.content}
        </>
      )}
    </>
  )
}
