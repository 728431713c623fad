/**
 * Makes text of another server safe for a terminal. Control characters could move the cursor or change the title, line
 * breaks could forge lines, and direction marks could reorder the text.
 */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
