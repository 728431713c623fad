/** Characters that nobody sees: they come along when a text is copied. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

export const withoutInvisible = (text: string): string => text.replace(invisible, '')

/**
 * The form in which texts are equal without regard to case: Unicode's full case folding after normalisation, so that
 * `GROẞ`, `groß` and `GROSS` are one. As in Turkish, `İ` and `ı` are cases of `i`.
 */
export const caseFolded = (text: string): string =>
  // Lower case first, because ẞ has no other upper case; then upper case, in which ß and ς have one form.
  text
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/i\u0307/g, 'i')
    .normalize('NFKC')
