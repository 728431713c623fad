import type { Who } from '../facts.ts'

/** What a fact says about who is behind objects. */
export type Known = { objects: readonly string[]; at: string; who: Who }

/**
 * Who paid: what facts about the same objects say comes first, then what is known of the customer, the earliest first.
 * It does not depend on the order of the facts.
 */
export function whoOfObjects(objects: readonly string[], customer: string | undefined, known: readonly Known[]): Who {
  const own = new Set(objects)
  const direct = known.filter((one) => one.objects.some((object) => own.has(object))).sort(byTime)
  const named = customer ?? direct.find(({ who }) => who.customer)?.who.customer
  const ofCustomer = named === undefined ? [] : known.filter(({ who }) => who.customer === named).sort(byTime)
  const ordered = [...direct, ...ofCustomer.filter((one) => !direct.includes(one))].map(({ who }) => who)
  const first = <K extends keyof Who>(field: K) => ordered.find((who) => who[field] !== undefined)?.[field]
  const codes = (list: readonly Known[]) => [...new Set(list.flatMap(({ who }) => who.coupons ?? []))]
  const coupons = codes(direct).length > 0 ? codes(direct) : codes(ofCustomer)
  return {
    customer: named,
    email: first('email'),
    name: first('name'),
    referral: first('referral'),
    coupons: coupons.length > 0 ? coupons : undefined,
  }
}

const byTime = (a: Known, b: Known): number =>
  a.at.localeCompare(b.at) || JSON.stringify(a.who).localeCompare(JSON.stringify(b.who))
