/** Tokens that could be an encoding: Base64, Base64url or hexadecimal. */
const encodedToken = /[A-Za-z0-9+/_-]{4,}={0,2}/g

/** Returns a function that removes the key from texts: as it is, URL-encoded (also twice), in Base64 or hexadecimal. */
export function createRedaction(key: string): (text: string) => string {
  const hasKey = (text: string) => text.includes(key) || decodedUrl(text).includes(key)
  const isEncodedKey = (token: string) =>
    hasKey(Buffer.from(token, 'base64').toString()) || hasKey(Buffer.from(token, 'hex').toString())
  return (text) => {
    const plain = text.replaceAll(key, '…')
    // A token can hide the key only if it is at least as long.
    const tokens = plain.replace(encodedToken, (token) =>
      token.length >= key.length && isEncodedKey(token) ? '…' : token,
    )
    return hasKey(tokens) ? tokens.replace(/[^\s"'<>&?=]+/g, (word) => (hasKey(word) ? '…' : word)) : tokens
  }
}

function decodedUrl(text: string): string {
  let decoded = text
  for (let round = 0; round < 3; round += 1)
    decoded = decoded.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
      Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
    )
  return decoded
}
