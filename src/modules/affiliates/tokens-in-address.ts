import { caseFolded, withoutInvisible } from '../../kernel/case-fold.ts'

/** More is no token with something behind it. */
const maxLength = 400

/** Neither a letter nor a digit nor a dash: blanks, punctuation, brackets, quotes, and the rest of a broken escape. */
const before = /^[^\p{L}\p{M}\p{Nd}-]+/u
const behind = /(?:%[0-9a-f]{0,2}|[^\p{L}\p{M}\p{Nd}-])$/iu
const form = /^(?=.*[\p{L}\p{Nd}-])[\p{L}\p{M}\p{Nd}_.+-]{1,100}$/u
const mostCandidates = 20

/**
 * The keys of the tokens that a text from an address may name, the most literal first: a link that ends with a full
 * stop is found by it, and else the one without. The text may be percent-encoded, and anything that is no part of a
 * token may be around it: `ada%20`, `ada.`, `ada&utm_source=x`, `ada%E2%80%8B`. Empty if it names none.
 */
export function tokensInAddress(text: string): string[] {
  if (text.length > maxLength) return []
  const once = decoded(text)
  const candidates = [...new Set([text, once, decoded(once)])].flatMap((given) => {
    const [own = ''] = given.split(/[&?#]/)
    const visible = given === text && once !== text ? [] : [withoutInvisible(own).replace(before, '')]
    // In a query, a plus is read as a blank.
    return [given, own, ...visible].flatMap(shortened).concat(own.trim().replaceAll(' ', '+'))
  })
  return [...new Set(candidates.filter((one) => form.test(one)).map(caseFolded))].slice(0, mostCandidates)
}

/** The text, and the text without one, two and more of the characters behind it. */
function shortened(text: string): string[] {
  const texts = [text]
  for (let rest = text; behind.test(rest); ) {
    rest = rest.replace(behind, '')
    texts.push(rest)
  }
  return texts
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
