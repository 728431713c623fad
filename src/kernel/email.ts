/** What of an e-mail is unique and compared: the letters, whatever their case. */
export const emailKey = (email: string) => email.toLowerCase()
