/** The icon of the page, which its frame names. */
const address = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href

/** The mark of the service, next to its name. */
export const Logo = () => <img src={address} alt="" width="26" height="26" />
