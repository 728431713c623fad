/** The form in which e-mails are compared, and in which they are unique. */
export const emailKey = (email: string) => email.toLowerCase()
