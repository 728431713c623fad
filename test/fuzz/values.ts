import fc from 'fast-check'

/** Texts that programs often get wrong. */
const oddTexts = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff',
    '\u202e',
    'ß',
    '🦊',
    "'; drop table sales; --",
    '"',
    '\\',
    '%',
    '_',
  ],
  ...['__proto__', 'constructor', 'toString', 'null', 'NaN', '-1', '0', '1e999', '9007199254740993', '[]'],
  ...['{}', 'true', '../../etc/passwd', 'http://127.0.0.1/', 'javascript:alert(1)', 'a@example.com', 'A@EXAMPLE.COM'],
  ...[
    '2026-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '99999-01-01T00:00:00Z',
    '2026-01-01',
    'usd',
    'USD',
    'xxx',
    'JPY',
  ],
]
const oddNumbers = [0, -0, 1, -1, 0.5, 100, 101, 1e21, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -(2 ** 53)]

export type Samples = { ids: string[]; texts: string[] }

/**
 * For what is not stored. Clients often send "undefined". A stored name of that text would look like a leak in later
 * answers.
 */
export const unstored = (samples: Samples): Samples => ({ ...samples, texts: [...samples.texts, 'undefined'] })

/** A text, an id or a value of another program's rows. */
export const texts = ({ ids, texts }: Samples): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ids) },
    { weight: 3, arbitrary: fc.constantFrom(...texts) },
    { weight: 3, arbitrary: fc.constantFrom(...oddTexts) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  )

export const numbers = fc.oneof(fc.constantFrom(...oddNumbers), fc.integer({ min: -5, max: 200 }), fc.double())

/** A value of any type, for a place where it is not expected. */
export const anything = (samples: Samples): fc.Arbitrary<unknown> =>
  fc.oneof(
    texts(samples),
    numbers.filter(Number.isFinite),
    fc.constantFrom(null, true, false, [], {}, [[]], [null], { a: 1 }, { __proto__: null }),
    fc.array(texts(samples), { maxLength: 3 }),
  )
