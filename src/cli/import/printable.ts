/**
 * What another server wrote, for a terminal: control characters would move its cursor, color it or retitle it, line
 * breaks would forge lines, and marks of direction would show a text in another order than it has.
 */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
