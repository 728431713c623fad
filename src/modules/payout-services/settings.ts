/** What calls of services need of the installation. */
export type ServiceSettings = {
  /** Encrypts the credentials. */
  key: Buffer
  /** Where the APIs are, by service, without a trailing slash. */
  urls: Readonly<Record<string, string>>
  /** The true time, also for a sandbox: services live in it. */
  now: () => Date
  /** Called before each step of a run that is handed over. Tests stop there. */
  onStep?: ((step: string) => void) | undefined
}
