import { createHash, createPublicKey, verify } from 'node:crypto'

// A second verifier, written from docs/statement-format.md alone. It shares no code with the first one or with the service.

type Any = any

const sha256 = (...parts: (string | Buffer)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const canonical = (value: Any): string =>
  value === null || typeof value !== 'object'
    ? JSON.stringify(value)
    : Array.isArray(value)
      ? `[${value.map(canonical)}]`
      : `{${Object.keys(value)
          .sort()
          .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`
const hashOf = (value: Any): string => sha256(canonical(value)).toString('hex')
const owed = ({ amountCents, state }: Any): bigint => (state === 'open' ? BigInt(amountCents) : 0n)
const min = (a: bigint, b: bigint) => (a < b ? a : b)
const atLeast0 = (a: bigint) => (a > 0n ? a : 0n)
const sum = (values: bigint[]): bigint => values.reduce((all, one) => all + one, 0n)
const fail = (what: string): never => {
  throw new Error(what)
}
const must = (isGood: unknown, what: string): void => void (isGood || fail(what))

/** @throws Error that says what is wrong with one of the statements, or between them */
export function verifyAgain(statements: Any[], { keys }: Any): void {
  const opened = statements.map((statement) => ({ ...statement, payload: verifyOne(statement, keys) }))
  opened.slice(1).forEach((after, index) => {
    const before = opened[index]
    must(after.header.number === before.header.number + 1, 'a gap, a double or another order')
    must(after.header.previous === hashOf(before.header), 'not the statement before')
    must(after.header.openingCents === before.header.closingCents, 'opens elsewhere')
    if (after.payload.number === before.payload.number + 1)
      must(after.payload.previous === hashOf(before.payload), 'not the month before')
  })
}

function verifyOne(statement: Any, keys: Any[]): Any {
  const { format, header, lines, disclosed, proof, seal } = statement
  must(Object.keys(statement).sort().join() === 'disclosed,format,header,lines,proof,seal', 'other fields')
  must(format === 'tributary-statement-1' && header.format === format, 'another format')
  must(lines.length === header.lines.length, 'lines are missing, or too many')
  lines.forEach((line: Any, index: number) => {
    must(hashOf(line) === header.lines[index] && line.number === index + 1, `line ${index + 1}`)
  })
  for (const [name, text] of Object.entries(disclosed)) {
    const [of, field, more] = name.split('.') as [string, string, string]
    const signed = of === 'affiliate' && field !== 'id' ? header.affiliate[field] : lines[Number(field) - 1]?.[more]
    must((of === 'affiliate' || more === 'reason') && signed === hashOf(text), `text ${name}`)
  }
  const payload = verifySeal(seal, keys)
  for (const name of ['program', 'month', 'timeZone', 'from', 'until'])
    must(canonical(payload[name]) === canonical(header[name]), `another ${name}`)
  must(proof.hash === hashOf(header), 'the hash')
  must(Object.keys(proof).sort().join() === 'hash,index,path', 'other fields of the proof')
  must(rootOf(proof, payload.statements) === payload.root, 'not in the month')
  must(
    sum([header.openingCents, ...lines.map((line: Any) => line.amountCents)].map(BigInt)) ===
      BigInt(header.closingCents),
    'does not sum',
  )
  must((header.number === 1) === (header.previous === null), 'the first one')
  const known = new Map<string, string>()
  for (const [index, line] of lines.entries()) {
    const changes = [...(line.commission ? [line.commission] : []), ...(line.commissions ?? [])]
    if (line.kind === 'withheld') {
      const { kind, payment, bookedAt, month } = lines[index - 1] ?? {}
      must(kind === 'payment' || kind === 'payment_returned', 'withheld of nothing')
      must(
        canonical([payment, bookedAt, month]) === canonical([line.payment, line.bookedAt, line.month]),
        'withheld of another',
      )
      must(changes.length === 0, 'withheld of commissions')
      continue
    }
    const withheld = lines[index + 1]?.kind === 'withheld' ? BigInt(lines[index + 1].amountCents) : 0n
    for (const { id, before } of changes) must((known.get(id) ?? canonical(before)) === canonical(before), 'a jump')
    for (const { id, after } of changes) known.set(id, canonical(after))
    must(
      sum(changes.map(({ before, after }: Any) => owed(after) - owed(before))) === BigInt(line.amountCents) + withheld,
      'amount',
    )
    if (!line.calculation) continue
    const cents = compute(line.calculation)
    must(cents === BigInt(line.calculation.resultCents), `line ${line.number} computes to ${cents}`)
    const { state, amountCents } = line.commission.after
    must(line.calculation.by !== 'rule' || cents === (state === 'void' ? 0n : BigInt(amountCents)), 'not by the rule')
    must(isOfRule(line.calculation), 'the rate is not that of the rule')
  }
  return payload
}

function verifySeal(seal: string, keys: Any[]): Any {
  const [head, body, signature] = seal.split('.') as [string, string, string]
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  const { alg, kid } = parse(head)
  const { kty, crv, x } = keys.find((key) => key.kid === kid) ?? fail('an unknown key')
  const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  must(alg === 'EdDSA', 'another algorithm')
  must(Buffer.from(signature, 'base64url').toString('base64url') === signature, 'the form of the signature')
  must(verify(null, Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url')), 'the signature')
  const payload = parse(body)
  must(payload.format === 'tributary-month-1', 'another format of the month')
  must(canonical(payload) === Buffer.from(body, 'base64url').toString(), 'the payload is not canonical')
  return payload
}

function rootOf({ hash, index, path }: Any, size: number): string {
  must(Number.isInteger(index) && index >= 0 && index < size, 'the index')
  let node = sha256(Buffer.of(0), Buffer.from(hash, 'hex'))
  let [at, last] = [index, size - 1]
  for (const step of path) {
    must(last > 0, 'the path is too long')
    const other = Buffer.from(step, 'hex')
    if (at % 2 === 1 || at === last) {
      node = sha256(Buffer.of(1), other, node)
      for (; at % 2 === 0 && at > 0; at /= 2) last >>= 1
    } else node = sha256(Buffer.of(1), node, other)
    at >>= 1
    last >>= 1
  }
  must(last === 0, 'the path is too short')
  return node.toString('hex')
}

function round(cents: bigint, basisPoints: number): bigint {
  const scaled = cents * BigInt(basisPoints) + 5_000n
  return (scaled - (((scaled % 10_000n) + 10_000n) % 10_000n)) / 10_000n
}

function compute({ saleCents, refunds, rate, cap, alreadyCents }: Any): bigint {
  const left = BigInt(saleCents) - sum(refunds.map((one: Any) => BigInt(one.amountCents)))
  const whole = (): bigint =>
    rate.basisPoints === undefined ? (left > 0n ? BigInt(rate.amountCents) : 0n) : round(left, rate.basisPoints)
  const limits = cap.map((one: Any) => atLeast0(BigInt(one.atMostCents) - BigInt(one.usedCents)))
  return limits.reduce(min, rate.parts ? ofParts(rate.parts, left, refunds) : whole()) - BigInt(alreadyCents)
}

function ofParts(parts: Any[], left: bigint, refunds: Any[]): bigint {
  const items = refunds.flatMap(({ items: named }) => named)
  const take = (all: Any[], of: (item: Any) => bigint, most: (part: Any) => bigint): bigint[] => {
    const open: Record<string, bigint> = {}
    for (const item of all) open[item.productId] = (open[item.productId] ?? 0n) + of(item)
    return parts.map((part) => {
      if (part.productId === null || BigInt(part.saleCents) <= 0n) return 0n
      const taken = min(open[part.productId] ?? 0n, most(part))
      open[part.productId] = (open[part.productId] ?? 0n) - taken
      return taken
    })
  }
  const counted = items.filter((item) => item.quantity !== undefined)
  const cents = take(
    items,
    (item) => BigInt(item.amountCents),
    (part) => BigInt(part.saleCents),
  )
  const fixed = (part: Any) => part.amountCents !== null
  const named = take(
    counted,
    (item) => BigInt(item.quantity),
    (part) => (fixed(part) ? BigInt(part.quantity) : 0n),
  )
  const namedCents = take(
    counted,
    (item) => BigInt(item.amountCents),
    (part) => (fixed(part) ? BigInt(part.saleCents) : 0n),
  )
  const own = parts.map((part, index) => BigInt(part.saleCents) - (cents[index] as bigint))
  const shared = min(left, sum(own))
  let [before, shares] = [0n, 0n]
  const used: Record<string, bigint> = {}
  const earned = parts.map((part, index) => {
    before += own[index] as bigint
    const share = sum(own) === 0n ? 0n : (before * shared) / sum(own) - shares
    shares += share
    const amount = partEarns(part, share, named[index] as bigint, namedCents[index] as bigint)
    if (!part.cap) return amount
    const capped = min(amount, atLeast0(BigInt(part.cap.leftCents) - (used[part.cap.of] ?? 0n)))
    used[part.cap.of] = (used[part.cap.of] ?? 0n) + capped
    return capped
  })
  return atLeast0(sum(earned))
}

function partEarns(part: Any, share: bigint, named: bigint, namedCents: bigint): bigint {
  if (part.basisPoints !== null) return round(share, part.basisPoints)
  if (share <= 0n) return 0n
  if (part.productId === null) return BigInt(part.amountCents)
  const [quantity, saleCents] = [BigInt(part.quantity), BigInt(part.saleCents)]
  const back = named + ((saleCents - namedCents - share) * quantity) / saleCents
  return (BigInt(part.amountCents) * atLeast0(quantity - back)) / quantity
}

/** The simple rewards: steps are compared as a set. */
function isOfRule({ rule, rate, tier }: Any): boolean {
  const isOf = (step: Any, of: Any, times = 1): boolean =>
    step.basisPoints === undefined
      ? of.amountCents === String(BigInt(step.amountCents ?? 0) * BigInt(times))
      : of.basisPoints === step.basisPoints
  const fits = (reward: Any, of: Any, times: number): boolean =>
    !reward ||
    (reward.steps
      ? reward.steps.some((step: Any) => isOf(step, of, times))
      : reward.kind === 'none' || isOf(reward, of, times))
  if (rate.parts)
    return rate.parts.every((part: Any) => part.reason || fits((part.rule ?? rule).reward, part, part.quantity))
  return tier && rule.reward?.steps ? isOf(rule.reward.steps[tier.step], rate) : fits(rule.reward, rate, 1)
}
