/** In characters. */
export const shortestPassword = 12
export const longestPassword = 128

const commonWords = [
  ...['password', 'passwort', 'passw0rd', 'p@ssword', 'p@ssw0rd', 'motdepasse', 'contraseña', 'letmein', 'welcome'],
  ...[
    'iloveyou',
    'admin',
    'administrator',
    'qwerty',
    'qwertyuiop',
    'asdfgh',
    'asdfghjkl',
    'zxcvbn',
    'zxcvbnm',
    'azerty',
  ],
  ...['1q2w3e', '1q2w3e4r', '1q2w3e4r5t', 'qazwsx', 'qazwsxedc', '1qaz2wsx', '3edc4rfv', 'abc', 'abcd', 'abcdef'],
  ...['login', 'master', 'secret', 'dragon', 'monkey', 'football', 'baseball', 'basketball', 'superman', 'batman'],
  ...[
    'sunshine',
    'princess',
    'shadow',
    'michael',
    'starwars',
    'trustno',
    'whatever',
    'freedom',
    'hello',
    'test',
    'user',
  ],
  ...[
    'changeme',
    'default',
    'root',
    'guest',
    'temp',
    'pass',
    'love',
    'god',
    'google',
    'facebook',
    'tributary',
    'affiliate',
  ],
]

const byLength = commonWords.sort((one, other) => other.length - one.length)

/** Whether it has only common words, digits, signs, repetitions and keyboard rows: `Password123456!`. */
function isCommon(password: string): boolean {
  let rest = password.toLowerCase()
  for (const word of byLength) rest = rest.replaceAll(word, '')
  rest = rest.replace(/[^\p{L}]/gu, '')
  return new Set(rest).size < 3
}

/** The problem of a new password, to follow "The password"; null without one. Its length counts. */
export function passwordProblem(
  password: string,
  { email, name }: { email?: string; name?: string } = {},
): string | null {
  const length = [...password].length
  if (length < shortestPassword)
    return `must have at least ${shortestPassword} characters. A few words are a good password.`
  if (length > longestPassword) return `must have at most ${longestPassword} characters.`
  const lower = password.toLowerCase()
  const own = [email, email?.split('@')[0], name].filter((text) => text && text.length > 3) as string[]
  const rest = own.reduce((text, part) => text.replaceAll(part.toLowerCase(), ''), lower)
  if (isCommon(password) || (rest !== lower && isCommon(rest)))
    return 'is too common. Choose one that others do not use, such as four random words.'
  return null
}
