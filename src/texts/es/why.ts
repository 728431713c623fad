import type { AttributionSignal, HeldReason } from '../../generated/prisma/enums.ts'
import type { CapSpan, Measured, Part, PartNothing, Period, SignalMiss, WhyTexts } from '../en/why.ts'
import type { Money, Writer } from '../writer.ts'

const signals: Record<AttributionSignal, string> = {
  referral_id: 'el identificador de la recomendación',
  coupon: 'el cupón',
  agent: 'lo que indicó un agente',
  email: 'el correo electrónico del cliente',
  manual: 'una persona',
}
const signalMisses: Record<SignalMiss, string> = {
  not_usable: 'no se pudo usar',
  not_found: 'no llevó a nada',
  expired: 'llevó a una recomendación caducada',
  affiliate_not_active: 'llevó a un afiliado que no estaba activo',
  archived: 'estaba archivado, o su campaña',
}
const spans: Record<CapSpan, string> = { sale: 'por venta', month: 'al mes', year: 'al año' }
const periods: Record<Period, string> = {
  month: 'en el mes',
  quarter: 'en el trimestre',
  year: 'en el año',
  ever: 'en total',
}
const suspected = 'Retenida: podría ser una compra propia. El programa lo decidirá.'
const held: Record<HeldReason, string> = {
  self_referral_email: suspected,
  self_referral_domain: suspected,
  self_referral_lookalike:
    'Retenida hasta que el programa decida: la dirección del cliente se parece a la del afiliado.',
  visit_after_sale:
    'Retenida hasta que el programa decida: el identificador corresponde a una visita posterior a la venta.',
  dispute: 'Retenida mientras el cliente disputa el pago.',
  terms_not_accepted: 'Retenida hasta que se acepten las condiciones del programa.',
}
const nothing: Record<PartNothing, string> = {
  max_commissions_reached: 'este cliente ya ha dado tantas comisiones como permite la regla',
  commission_period_over: 'el periodo en que este cliente da comisiones había terminado',
  rule_earns_nothing: 'según la regla no da nada',
}

const theRule = (name: string | null) => (name === null ? 'La regla' : `La regla «${name}»`)
const byRule = ({ isByRule, rule }: Part) =>
  isByRule ? (rule === null ? ', según una regla' : `, según la regla «${rule}»`) : ''
const partOf = (part: Part) =>
  (part.name ?? (part.isOneOfSeveral ? 'Una parte de la venta' : 'El resto de la venta')) + byRule(part)
const version = (number: number | null) => (number === null ? '' : ` (versión ${number} de las reglas)`)
function measured({ measure, value, currency }: Measured, w: Writer): string {
  if (measure === 'conversions') return value === 1n ? '1 venta' : `${w.count(value)} ventas`
  return `${w.money({ cents: value, currency })} en ${measure === 'revenue' ? 'ventas' : 'comisiones'}`
}
const left = (paid: Money | null, w: Writer) => (paid ? `, de los que se pagan ${w.money(paid)}` : '')

const corrections = {
  tiers: 'sus ventes del período han alcanzado otro tramo',
  rules: 'lo que gana una venta ha cambiado después del pago',
}

export const why: WhyTexts = {
  attributed: ({ by, missed }) => {
    const tried = missed.map(({ signal, miss }) => `${signals[signal]} ${signalMisses[miss]}`)
    const before = tried.length > 0 ? ` Antes se probó: ${tried.join('; ')}.` : ''
    return `Atribuida por: ${signals[by]}.${before}`
  },
  ownReward: (of) => `Se aplica la recompensa de la campaña${version(of.version)}.`,
  rule: (of) =>
    of.rule === null ? 'Se aplica una regla del programa.' : `Se aplica la regla «${of.rule}»${version(of.version)}.`,
  tier: (of, w) => {
    const what = !of.items
      ? 'La venta entra'
      : of.rule === null
        ? 'Los artículos entran'
        : `Según la regla «${of.rule}», los artículos entran`
    const earns = 'basisPoints' in of.earns ? w.percent(of.earns.basisPoints) : w.money(of.earns)
    const from = `${measured(of.from, w)} ${periods[of.period]}${of.wholePeriod ? ', con esta' : ''}`
    return `${what} en el tramo desde ${from}: ${earns}. Antes, el total era de ${measured(of.before, w)} ${periods[of.period]}.`
  },
  byParts: ({ areItems, earned }, w) =>
    `${areItems ? 'Los artículos se calculan' : 'Las partes de la venta se calculan'} por separado y se redondean: ${w.money(earned)} en total.`,
  percent: (of, w) =>
    `El ${w.percent(of.basisPoints)} de ${w.money(of.base)}${of.beforeRefunds ? ` (${w.money(of.beforeRefunds)} antes de reembolsos)` : ''} es ${w.money(of.earned)}, redondeado.`,
  refundedInFull: () => 'La venta se reembolsó por completo, así que no se gana el importe fijo.',
  fixed: ({ earned }, w) => `Cada venta da un importe fijo de ${w.money(earned)}.`,
  partNothing: (of) => `${partOf(of)}: nada, porque ${nothing[of.reason]}.`,
  partPercent: (of, w) =>
    `${partOf(of)}: el ${w.percent(of.basisPoints)} de ${w.money(of.base)} es ${w.money(of.earned)}${left(of.paid, w)}.`,
  partFixed: (of, w) =>
    `${partOf(of)}: ${w.money(of.earned)} fijos${of.units === null ? '' : ` por ${of.units} unidades`}${left(of.paid, w)}.`,
  cap: (of, w) =>
    `${theRule(of.rule)} paga como máximo ${w.money(of.most)} ${spans[of.per]}${of.used ? `, de los que ya se habían ganado ${w.money(of.used)}` : ''}: quedan ${w.money(of.left)}, y ${w.money(of.unpaid)} no se pagan.`,
  refundReversed: ({ refund, at }, w) => `Un reembolso de ${w.money(refund)} se anuló el ${w.day(at)} y no cuenta.`,
  void: ({ at }, w) => `Anulada desde el ${w.day(at)}.`,
  amended: ({ amount }, w) => `El importe se cambió a mano a ${w.money(amount)}.`,
  amendedKept: ({ amount, byRule, rest }, w) =>
    `El importe se cambió a mano a ${w.money(amount)}. Un reembolso no lo cambia: por los ${w.money(rest)} restantes la regla da ${w.money(byRule)}, que no es menos.`,
  amendedLowered: ({ rest }, w) =>
    `El importe se había cambiado a mano. Un reembolso lo redujo a lo que la regla da por los ${w.money(rest)} restantes.`,
  held: ({ reason }) => held[reason],
  credit: (of, w) =>
    `Devuelve ${w.money(of.amount)}: un reembolso de ${w.money(of.refund)} se anuló el ${w.day(of.reversedAt)}, después de pagarse la comisión.`,
  debt: ({ amount, refund, paid }, w) =>
    `Descuenta ${w.money(amount)}: se reembolsaron ${w.money(refund)} de la venta después de pagarse la comisión de ${w.money(paid)}.`,
  debtReversed: ({ at }, w) => `El reembolso se anuló el ${w.day(at)}.`,
  mostCommissions: ({ counted }) =>
    counted
      ? `Sin comisión: este cliente ya ha dado ${counted.had} de un máximo de ${counted.most} comisiones.`
      : 'Sin comisión: este cliente ya ha dado tantas comisiones como permite la campaña.',
  periodOver: ({ period }, w) =>
    period
      ? `Sin comisión: el periodo de ${period.months} meses terminó el ${w.day(period.endedAt)}.`
      : 'Sin comisión: el periodo en que este cliente da comisiones había terminado.',
  capUsedUp: ({ cap }, w) =>
    cap
      ? `Sin comisión: la regla paga como máximo ${w.money(cap.most)} ${spans[cap.per]}, y ya se habían ganado ${w.money(cap.used)}.`
      : 'Sin comisión: se ha alcanzado el máximo de la regla.',
  earnsNothing: () => 'Sin comisión: según la regla, estas ventas no dan nada.',
  attributionUndone: () => 'Sin comisión: se retiró la atribución de esta venta.',
  selfReferral: () => 'Sin comisión: la campaña no admite compras propias.',
  roundsToZero: () => 'Sin comisión: el importe redondeado es 0.',
  unpaid: ({ at, reason }, w) => `De nuevo sin pagar desde el ${w.day(at)}${reason === null ? '' : `: ${reason}`}.`,
  recalculated: (of, w) =>
    `${of.isLower ? 'Reducida' : 'Aumentada'} en ${w.money(of.by)} el ${w.day(of.at)}${of.reason === null ? '' : `: ${of.reason}`}.`,
  given: (of, w) => {
    const what = { bonus: 'Un bono de', deducts: 'Una corrección que descuenta', adds: 'Una corrección que suma' }
    const by = {
      rules: ', según las reglas,',
      tiers: ', por tramos,',
      person: of.giver === null ? '' : ` (${of.giver})`,
    }
    return `${what[of.what]} ${w.money(of.amount)}${by[of.by]} el ${w.day(of.at)}: ${of.by === 'person' ? of.reason : (of.reason ?? corrections[of.by])}.`
  },
  corrected: ({ by }) => corrections[by],
  lead: ({ reward, at, rule }, w) =>
    `${w.money(reward)} por un cliente potencial del ${w.day(at)}, según ${rule === null ? 'una regla' : `la regla «${rule}»`}. Se gana una vez por cliente.`,
  dueGivesBack: () => 'Vence de inmediato, porque devuelve lo que un reembolso había descontado.',
  dueDeducts: () => 'Vence de inmediato, porque un reembolso posterior al pago reduce el próximo pago.',
  due: ({ days, movedTo, endsBy }, w) => {
    const byRule = days === 0 ? 'con la venta' : `${days} ${days === 1 ? 'día' : 'días'} después de la venta`
    const due = movedTo ? `el ${w.day(movedTo)} (fecha puesta a mano; según la regla, ${byRule})` : byRule
    if (endsBy === null) return `Vence ${due}.`
    return `Retenida. ${endsBy === 'itself' ? 'Cuando nada la retenga' : 'Una vez aprobada'}, vence ${due}.`
  },
  dueWithTiers: ({ at }, w) =>
    `Vence el ${w.day(at)}, con la última de las comisiones a las que se refiere, o en la fecha puesta a mano.`,
  dueMoved: ({ at }, w) => `Vence el ${w.day(at)}, fecha puesta a mano.`,
  dueAtOnce: () => 'Vence de inmediato: no hay ninguna venta que se pueda devolver.',
  dueAfterLead: ({ at, days }, w) =>
    `Vence el ${w.day(at)}, ${days} ${days === 1 ? 'día' : 'días'} después del cliente potencial.`,
}
