import type { AttributionSignal, HeldReason } from '../../generated/prisma/enums.ts'
import type { CapSpan, Measured, Part, PartNothing, Period, SignalMiss, WhyTexts } from '../en/why.ts'
import type { Money, Writer } from '../writer.ts'

const signals: Record<AttributionSignal, string> = {
  referral_id: 'die Empfehlungs-ID',
  coupon: 'der Gutscheincode',
  agent: 'die Angabe eines Agenten',
  email: 'die E-Mail-Adresse des Kunden',
  manual: 'eine Person',
}
const signalMisses: Record<SignalMiss, string> = {
  not_usable: 'war nicht verwendbar',
  not_found: 'führte zu nichts',
  expired: 'führte zu einer abgelaufenen Empfehlung',
  affiliate_not_active: 'führte zu einem Affiliate, der nicht aktiv war',
  archived: 'war archiviert, oder die Kampagne war es',
}
const spans: Record<CapSpan, string> = { sale: 'pro Verkauf', month: 'pro Monat', year: 'pro Jahr' }
const periods: Record<Period, string> = {
  month: 'im Monat',
  quarter: 'im Quartal',
  year: 'im Jahr',
  ever: 'insgesamt',
}
const suspected = 'Zurückgehalten: Vielleicht haben Sie selbst gekauft. Das Programm entscheidet darüber.'
const held: Record<HeldReason, string> = {
  self_referral_email: suspected,
  self_referral_domain: suspected,
  self_referral_lookalike:
    'Zurückgehalten, bis das Programm entscheidet: Die Adresse des Kunden ähnelt der des Affiliates.',
  visit_after_sale:
    'Zurückgehalten, bis das Programm entscheidet: Die Empfehlungs-ID gehört zu einem Besuch nach dem Verkauf.',
  dispute: 'Zurückgehalten, solange der Kunde die Zahlung beanstandet.',
  terms_not_accepted: 'Zurückgehalten, bis die Bedingungen des Programms akzeptiert sind.',
}
const nothing: Record<PartNothing, string> = {
  max_commissions_reached: 'dieser Kunde hat schon so viele Provisionen gebracht, wie die Regel erlaubt',
  commission_period_over: 'die Zeit, in der dieser Kunde Provisionen bringt, war vorbei',
  rule_earns_nothing: 'laut Regel bringt das nichts',
}

const theRule = (name: string | null) => (name === null ? 'Die Regel' : `Die Regel „${name}“`)
const byRule = ({ isByRule, rule }: Part) =>
  isByRule ? (rule === null ? ', nach einer Regel' : `, nach der Regel „${rule}“`) : ''
const partOf = (part: Part) =>
  (part.name ?? (part.isOneOfSeveral ? 'Ein Teil des Verkaufs' : 'Der Rest des Verkaufs')) + byRule(part)
const version = (number: number | null) => (number === null ? '' : ` (Version ${number} der Regeln)`)
function measured({ measure, value, currency }: Measured, w: Writer): string {
  if (measure === 'conversions') return value === 1n ? '1 Verkauf' : `${w.count(value)} Verkäufen`
  return `${w.money({ cents: value, currency })} ${measure === 'revenue' ? 'Umsatz' : 'Provisionen'}`
}
const left = (paid: Money | null, w: Writer) => (paid ? `, davon werden ${w.money(paid)} gezahlt` : '')

const corrections = {
  tiers: 'Ihre Verkäufe des Zeitraums haben eine andere Stufe erreicht',
  rules: 'der Ertrag eines Verkaufs hat sich nach der Zahlung geändert',
}

export const why: WhyTexts = {
  attributed: ({ by, missed }) => {
    const tried = missed.map(({ signal, miss }) => `${signals[signal]} ${signalMisses[miss]}`)
    const before = tried.length > 0 ? ` Vorher versucht: ${tried.join('; ')}.` : ''
    return `Zugeordnet durch: ${signals[by]}.${before}`
  },
  ownReward: (of) => `Es gilt die Vergütung der Kampagne selbst${version(of.version)}.`,
  rule: (of) =>
    of.rule === null ? 'Es gilt eine Regel des Programms.' : `Es gilt die Regel „${of.rule}“${version(of.version)}.`,
  tier: (of, w) => {
    const what = !of.items
      ? 'Der Verkauf zählt'
      : of.rule === null
        ? 'Die Artikel zählen'
        : `Nach der Regel „${of.rule}“ zählen die Artikel`
    const earns = 'basisPoints' in of.earns ? w.percent(of.earns.basisPoints) : w.money(of.earns)
    const from = `${measured(of.from, w)} ${periods[of.period]}${of.wholePeriod ? ', mit diesem Verkauf' : ''}`
    return `${what} zur Stufe ab ${from}: ${earns}. Davor lag der Stand bei ${measured(of.before, w)} ${periods[of.period]}.`
  },
  byParts: ({ areItems, earned }, w) =>
    `${areItems ? 'Die Artikel' : 'Die Teile des Verkaufs'} werden einzeln vergütet und kaufmännisch gerundet: zusammen ${w.money(earned)}.`,
  percent: (of, w) =>
    `${w.percent(of.basisPoints)} von ${w.money(of.base)}${of.beforeRefunds ? ` (${w.money(of.beforeRefunds)} vor Erstattungen)` : ''} sind ${w.money(of.earned)}, kaufmännisch gerundet.`,
  refundedInFull: () => 'Der Verkauf wurde ganz erstattet, darum entfällt der feste Betrag.',
  fixed: ({ earned }, w) => `Jeder Verkauf bringt fest ${w.money(earned)}.`,
  partNothing: (of) => `${partOf(of)}: nichts, denn ${nothing[of.reason]}.`,
  partPercent: (of, w) =>
    `${partOf(of)}: ${w.percent(of.basisPoints)} von ${w.money(of.base)} sind ${w.money(of.earned)}${left(of.paid, w)}.`,
  partFixed: (of, w) =>
    `${partOf(of)}: fest ${w.money(of.earned)}${of.units === null ? '' : ` für ${of.units} Stück`}${left(of.paid, w)}.`,
  cap: (of, w) =>
    `${theRule(of.rule)} zahlt höchstens ${w.money(of.most)} ${spans[of.per]}${of.used ? `, davon waren ${w.money(of.used)} schon verdient` : ''}: ${w.money(of.left)} bleiben, ${w.money(of.unpaid)} werden nicht gezahlt.`,
  refundReversed: ({ refund, at }, w) =>
    `Eine Erstattung von ${w.money(refund)} wurde am ${w.day(at)} zurückgenommen und zählt nicht.`,
  void: ({ at }, w) => `Storniert seit ${w.day(at)}.`,
  amended: ({ amount }, w) => `Der Betrag wurde von Hand auf ${w.money(amount)} geändert.`,
  amendedKept: ({ amount, byRule, rest }, w) =>
    `Der Betrag wurde von Hand auf ${w.money(amount)} geändert. Eine Erstattung ändert daran nichts: Für die übrigen ${w.money(rest)} gibt die Regel ${w.money(byRule)}, also nicht weniger.`,
  amendedLowered: ({ rest }, w) =>
    `Der Betrag war von Hand geändert. Eine Erstattung hat ihn auf das gesenkt, was die Regel für die übrigen ${w.money(rest)} gibt.`,
  held: ({ reason }) => held[reason],
  credit: (of, w) =>
    `Gibt ${w.money(of.amount)} zurück: Eine Erstattung von ${w.money(of.refund)} wurde am ${w.day(of.reversedAt)} zurückgenommen, nachdem die Provision gezahlt war.`,
  debt: ({ amount, refund, paid }, w) =>
    `Zieht ${w.money(amount)} ab: ${w.money(refund)} des Verkaufs wurden erstattet, nachdem die Provision von ${w.money(paid)} gezahlt war.`,
  debtReversed: ({ at }, w) => `Die Erstattung wurde am ${w.day(at)} zurückgenommen.`,
  mostCommissions: ({ counted }) =>
    counted
      ? `Keine Provision: Dieser Kunde hat schon ${counted.had} von höchstens ${counted.most} Provisionen gebracht.`
      : 'Keine Provision: Dieser Kunde hat schon so viele Provisionen gebracht, wie die Kampagne erlaubt.',
  periodOver: ({ period }, w) =>
    period
      ? `Keine Provision: Der Zeitraum von ${period.months} Monaten endete am ${w.day(period.endedAt)}.`
      : 'Keine Provision: Die Zeit, in der dieser Kunde Provisionen bringt, war vorbei.',
  capUsedUp: ({ cap }, w) =>
    cap
      ? `Keine Provision: Die Regel zahlt höchstens ${w.money(cap.most)} ${spans[cap.per]}, und ${w.money(cap.used)} waren schon verdient.`
      : 'Keine Provision: Die Obergrenze der Regel ist erreicht.',
  earnsNothing: () => 'Keine Provision: Laut Regel bringen solche Verkäufe nichts.',
  attributionUndone: () => 'Keine Provision: Die Zuordnung dieses Verkaufs wurde zurückgenommen.',
  selfReferral: () => 'Keine Provision: Eigene Käufe lehnt die Kampagne ab.',
  roundsToZero: () => 'Keine Provision: Der Betrag ergibt gerundet 0.',
  unpaid: ({ at, reason }, w) => `Seit ${w.day(at)} wieder offen${reason === null ? '' : `: ${reason}`}.`,
  recalculated: (of, w) =>
    `Am ${w.day(of.at)} um ${w.money(of.by)} ${of.isLower ? 'gesenkt' : 'erhöht'}${of.reason === null ? '' : `: ${of.reason}`}.`,
  given: (of, w) => {
    const what = { bonus: 'Ein Bonus', deducts: 'Eine Korrektur, ein Abzug', adds: 'Eine Korrektur, ein Zuschlag' }
    const by = { rules: ' nach den Regeln', tiers: ' nach Stufen', person: of.giver === null ? '' : ` (${of.giver})` }
    return `${what[of.what]} von ${w.money(of.amount)}${by[of.by]} am ${w.day(of.at)}: ${of.by === 'person' ? of.reason : (of.reason ?? corrections[of.by])}.`
  },
  corrected: ({ by }) => corrections[by],
  lead: ({ reward, at, rule }, w) =>
    `${w.money(reward)} für einen Lead am ${w.day(at)}, nach ${rule === null ? 'einer Regel' : `der Regel „${rule}“`}. Das gibt es einmal pro Kunde.`,
  dueGivesBack: () => 'Sofort fällig, denn es gibt zurück, was eine Erstattung abgezogen hatte.',
  dueDeducts: () => 'Sofort fällig, denn eine Erstattung nach der Zahlung mindert die nächste Auszahlung.',
  due: ({ days, movedTo, endsBy }, w) => {
    const byRule = days === 0 ? 'beim Verkauf' : days === 1 ? '1 Tag nach dem Verkauf' : `${days} Tage nach dem Verkauf`
    const due = movedTo ? `am ${w.day(movedTo)} (von Hand gesetzt; nach der Regel ${byRule})` : byRule
    if (endsBy === null) return `Fällig ${due}.`
    return `Zurückgehalten. ${endsBy === 'itself' ? 'Sobald nichts mehr im Weg steht' : 'Nach der Freigabe'} fällig ${due}.`
  },
  dueWithTiers: ({ at }, w) =>
    `Fällig am ${w.day(at)}, mit der letzten Provision, um die es geht, oder von Hand gesetzt.`,
  dueMoved: ({ at }, w) => `Fällig am ${w.day(at)}, von Hand gesetzt.`,
  dueAtOnce: () => 'Sofort fällig, denn es gibt keinen Verkauf, der zurückgegeben werden könnte.',
  dueAfterLead: ({ at, days }, w) => `Fällig am ${w.day(at)}, ${days === 1 ? '1 Tag' : `${days} Tage`} nach dem Lead.`,
}
