import type { AttributionSignal, HeldReason } from '../../generated/prisma/enums.ts'
import type { CapSpan, Measured, Part, PartNothing, Period, SignalMiss, WhyTexts } from '../en/why.ts'
import type { Money, Writer } from '../writer.ts'

const signals: Record<AttributionSignal, string> = {
  referral_id: "l'identifiant de recommandation",
  coupon: 'le code promo',
  agent: 'l’indication d’un agent',
  email: "l'adresse e-mail du client",
  manual: 'une personne',
}
const signalMisses: Record<SignalMiss, string> = {
  not_usable: "n'était pas utilisable",
  not_found: "n'a mené à rien",
  expired: 'menait à une recommandation expirée',
  affiliate_not_active: "menait à un affilié qui n'était pas actif",
  archived: 'était archivé, ou sa campagne',
}
const spans: Record<CapSpan, string> = { sale: 'par vente', month: 'par mois', year: 'par an' }
const periods: Record<Period, string> = {
  month: 'dans le mois',
  quarter: 'dans le trimestre',
  year: "dans l'année",
  ever: 'au total',
}
const suspected = 'En attente : il pourrait s’agir de votre propre achat. Le programme décidera.'
const held: Record<HeldReason, string> = {
  self_referral_email: suspected,
  self_referral_domain: suspected,
  self_referral_lookalike:
    "En attente d'une décision du programme : l'adresse du client ressemble à celle de l'affilié.",
  visit_after_sale:
    "En attente d'une décision du programme : l'identifiant de recommandation désigne une visite postérieure à la vente.",
  dispute: 'En attente tant que le client conteste le paiement.',
  terms_not_accepted: 'En attente tant que les conditions du programme ne sont pas acceptées.',
}
const nothing: Record<PartNothing, string> = {
  max_commissions_reached: 'ce client a déjà rapporté autant de commissions que la règle en permet',
  commission_period_over: 'la période pendant laquelle ce client rapporte était terminée',
  rule_earns_nothing: 'la règle prévoit que cela ne rapporte rien',
}

const theRule = (name: string | null) => (name === null ? 'La règle' : `La règle « ${name} »`)
const byRule = ({ isByRule, rule }: Part) =>
  isByRule ? (rule === null ? ', selon une règle' : `, selon la règle « ${rule} »`) : ''
const partOf = (part: Part) =>
  (part.name ?? (part.isOneOfSeveral ? 'Une partie de la vente' : 'Le reste de la vente')) + byRule(part)
const version = (number: number | null) => (number === null ? '' : ` (version ${number} des règles)`)
function measured({ measure, value, currency }: Measured, w: Writer): string {
  if (measure === 'conversions') return `${w.count(value)} ${value > 1n ? 'ventes' : 'vente'}`
  return `${w.money({ cents: value, currency })} de ${measure === 'revenue' ? 'ventes' : 'commissions'}`
}
const left = (paid: Money | null, w: Writer) => (paid ? `, dont ${w.money(paid)} sont payés` : '')

const corrections = {
  tiers: 'vos ventes de la période ont atteint un autre palier',
  rules: 'le gain d’une vente a changé après son paiement',
}

export const why: WhyTexts = {
  attributed: ({ by, missed }) => {
    const tried = missed.map(({ signal, miss }) => `${signals[signal]} ${signalMisses[miss]}`)
    const before = tried.length > 0 ? ` Essayé auparavant : ${tried.join(' ; ')}.` : ''
    return `Attribuée par ${signals[by]}.${before}`
  },
  ownReward: (of) => `La rémunération de la campagne s'applique${version(of.version)}.`,
  rule: (of) =>
    of.rule === null
      ? "Une règle du programme s'applique."
      : `La règle « ${of.rule} » s'applique${version(of.version)}.`,
  tier: (of, w) => {
    const what = !of.items
      ? 'La vente relève'
      : of.rule === null
        ? 'Les articles relèvent'
        : `Selon la règle « ${of.rule} », les articles relèvent`
    const earns = 'basisPoints' in of.earns ? w.percent(of.earns.basisPoints) : w.money(of.earns)
    const from = `${measured(of.from, w)} ${periods[of.period]}${of.wholePeriod ? ', celle-ci comprise' : ''}`
    return `${what} du palier à partir de ${from} : ${earns}. Avant elle, le total était de ${measured(of.before, w)} ${periods[of.period]}.`
  },
  byParts: ({ areItems, earned }, w) =>
    `${areItems ? 'Les articles' : 'Les parties de la vente'} sont rémunérés séparément, chacun arrondi : ${w.money(earned)} en tout.`,
  percent: (of, w) =>
    `${w.percent(of.basisPoints)} de ${w.money(of.base)}${of.beforeRefunds ? ` (${w.money(of.beforeRefunds)} avant remboursements)` : ''} font ${w.money(of.earned)}, après arrondi.`,
  refundedInFull: () => "La vente a été entièrement remboursée : le montant fixe n'est donc pas gagné.",
  fixed: ({ earned }, w) => `Chaque vente rapporte un montant fixe de ${w.money(earned)}.`,
  partNothing: (of) => `${partOf(of)} : rien, car ${nothing[of.reason]}.`,
  partPercent: (of, w) =>
    `${partOf(of)} : ${w.percent(of.basisPoints)} de ${w.money(of.base)} font ${w.money(of.earned)}${left(of.paid, w)}.`,
  partFixed: (of, w) =>
    `${partOf(of)} : un montant fixe de ${w.money(of.earned)}${of.units === null ? '' : ` pour ${of.units} unités`}${left(of.paid, w)}.`,
  cap: (of, w) =>
    `${theRule(of.rule)} paie au plus ${w.money(of.most)} ${spans[of.per]}${of.used ? `, dont ${w.money(of.used)} déjà gagnés` : ''} : il reste ${w.money(of.left)}, et ${w.money(of.unpaid)} ne sont pas payés.`,
  refundReversed: ({ refund, at }, w) =>
    `Un remboursement de ${w.money(refund)} a été annulé le ${w.day(at)} et ne compte pas.`,
  void: ({ at }, w) => `Annulée depuis le ${w.day(at)}.`,
  amended: ({ amount }, w) => `Le montant a été modifié à la main : ${w.money(amount)}.`,
  amendedKept: ({ amount, byRule, rest }, w) =>
    `Le montant a été modifié à la main : ${w.money(amount)}. Un remboursement n'y change rien : pour les ${w.money(rest)} restants, la règle donne ${w.money(byRule)}, ce qui n'est pas moins.`,
  amendedLowered: ({ rest }, w) =>
    `Le montant avait été modifié à la main. Un remboursement l'a ramené à ce que la règle donne pour les ${w.money(rest)} restants.`,
  held: ({ reason }) => held[reason],
  credit: (of, w) =>
    `Rend ${w.money(of.amount)} : un remboursement de ${w.money(of.refund)} a été annulé le ${w.day(of.reversedAt)}, après le paiement de la commission.`,
  debt: ({ amount, refund, paid }, w) =>
    `Déduit ${w.money(amount)} : ${w.money(refund)} de la vente ont été remboursés après le paiement de la commission de ${w.money(paid)}.`,
  debtReversed: ({ at }, w) => `Le remboursement a été annulé le ${w.day(at)}.`,
  mostCommissions: ({ counted }) =>
    counted
      ? `Pas de commission : ce client en a déjà rapporté ${counted.had} sur ${counted.most} au plus.`
      : 'Pas de commission : ce client en a déjà rapporté autant que la campagne le permet.',
  periodOver: ({ period }, w) =>
    period
      ? `Pas de commission : la période de ${period.months} mois s'est terminée le ${w.day(period.endedAt)}.`
      : 'Pas de commission : la période pendant laquelle ce client rapporte était terminée.',
  capUsedUp: ({ cap }, w) =>
    cap
      ? `Pas de commission : la règle paie au plus ${w.money(cap.most)} ${spans[cap.per]}, et ${w.money(cap.used)} étaient déjà gagnés.`
      : 'Pas de commission : le plafond de la règle est atteint.',
  earnsNothing: () => 'Pas de commission : la règle prévoit que ces ventes ne rapportent rien.',
  attributionUndone: () => 'Pas de commission : l’attribution de cette vente a été annulée.',
  selfReferral: () => 'Pas de commission : la campagne refuse vos propres achats.',
  roundsToZero: () => 'Pas de commission : le montant arrondi est 0.',
  unpaid: ({ at, reason }, w) => `De nouveau impayée depuis le ${w.day(at)}${reason === null ? '' : ` : ${reason}`}.`,
  recalculated: (of, w) =>
    `${of.isLower ? 'Diminuée' : 'Augmentée'} de ${w.money(of.by)} le ${w.day(of.at)}${of.reason === null ? '' : ` : ${of.reason}`}.`,
  given: (of, w) => {
    const what = { bonus: 'Un bonus de', deducts: 'Une correction qui déduit', adds: 'Une correction qui ajoute' }
    const by = {
      rules: ', selon les règles,',
      tiers: ', par paliers,',
      person: of.giver === null ? '' : ` (${of.giver})`,
    }
    return `${what[of.what]} ${w.money(of.amount)}${by[of.by]} le ${w.day(of.at)} : ${of.by === 'person' ? of.reason : (of.reason ?? corrections[of.by])}.`
  },
  corrected: ({ by }) => corrections[by],
  lead: ({ reward, at, rule }, w) =>
    `${w.money(reward)} pour un prospect du ${w.day(at)}, selon ${rule === null ? 'une règle' : `la règle « ${rule} »`}. Une seule fois par client.`,
  dueGivesBack: () => "Due immédiatement : elle rend ce qu'un remboursement avait déduit.",
  dueDeducts: () => 'Due immédiatement : un remboursement après paiement diminue le prochain versement.',
  due: ({ days, movedTo, endsBy }, w) => {
    const byRule = days === 0 ? 'dès la vente' : `${days} ${days === 1 ? 'jour' : 'jours'} après la vente`
    const due = movedTo ? `le ${w.day(movedTo)} (fixé à la main ; selon la règle : ${byRule})` : byRule
    if (endsBy === null) return `Due ${due}.`
    return `En attente. ${endsBy === 'itself' ? 'Une fois que plus rien ne la retient' : 'Une fois approuvée'}, due ${due}.`
  },
  dueWithTiers: ({ at }, w) => `Due le ${w.day(at)}, avec la dernière des commissions concernées, ou fixé à la main.`,
  dueMoved: ({ at }, w) => `Due le ${w.day(at)}, date fixée à la main.`,
  dueAtOnce: () => 'Due immédiatement : aucune vente ne peut être retournée.',
  dueAfterLead: ({ at, days }, w) => `Due le ${w.day(at)}, ${days} ${days === 1 ? 'jour' : 'jours'} après le prospect.`,
}
