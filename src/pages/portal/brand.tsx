/** What the server knows of the program that the address names: see src/server/pages/portal.ts. */
const meta = document.querySelector<HTMLMetaElement>('meta[name="program"]')

/** Whether the address names a program of this installation. */
export const isKnownProgram = meta !== null

/** The program's logo, else its name. @param otherwise shown if the name is not known yet */
export function Brand({ name, otherwise }: { name?: string | undefined; otherwise?: string }) {
  const known = name ?? meta?.content ?? otherwise
  const logo = meta?.dataset.logo
  if (known === undefined) return null
  return (
    <p className="program">{logo === undefined ? known : <img className="program-logo" src={logo} alt={known} />}</p>
  )
}
