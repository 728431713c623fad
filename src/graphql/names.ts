/** An enum value's name: "occurredAt" gives OCCURRED_AT. */
export const enumValueName = (name: string) => name.replace(/([A-Z])/g, '_$1').toUpperCase()

/** A type's or field's name in plain words: "AffiliateLink" gives "affiliate link". */
export const inWords = (name: string) =>
  name
    .replace(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase()
    .replace(/^api /, 'API ')

/** A name that starts a type's name: "createAffiliate" gives "CreateAffiliate". */
export const capitalized = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`
