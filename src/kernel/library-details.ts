/** A private detail of a library is gone. */
export class DetailGone extends Error {}

/** Checks private details of a library, which an upgrade can remove. @throws DetailGone */
export function requireDetails(library: string, file: string, details: Readonly<Record<string, boolean>>): void {
  const gone = Object.keys(details).filter((name) => !details[name])
  if (gone.length === 0) return
  throw new DetailGone(
    `The installed version of ${library} no longer has: ${gone.join(', ')}. Install the version that package.json names, or adapt ${file}.`,
  )
}
