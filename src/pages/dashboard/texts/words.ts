/** Words by a key that the service names. A later key has no words. */
export type Words = Readonly<Record<string, string>>

/** What to do with a link, which the service may have mailed. @param isMailed null if the service sends no mail */
export const sendLink = (to: string, isMailed: boolean | null): string =>
  isMailed
    ? `The link was mailed to ${to}. You can also send it yourself.`
    : isMailed === false
      ? `The mail to ${to} could not be sent. Send the link yourself.`
      : `Send this link to ${to}.`
