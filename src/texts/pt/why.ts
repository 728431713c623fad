import type { AttributionSignal, HeldReason } from '../../generated/prisma/enums.ts'
import type { CapSpan, Measured, Part, PartNothing, Period, SignalMiss, WhyTexts } from '../en/why.ts'
import type { Money, Writer } from '../writer.ts'

const signals: Record<AttributionSignal, string> = {
  referral_id: 'o identificador da indicação',
  coupon: 'o cupom',
  agent: 'a indicação de um agente',
  email: 'o e-mail do cliente',
  manual: 'uma pessoa',
}
const signalMisses: Record<SignalMiss, string> = {
  not_usable: 'não pôde ser usado',
  not_found: 'não levou a nada',
  expired: 'levou a uma indicação expirada',
  affiliate_not_active: 'levou a um afiliado que não estava ativo',
  archived: 'estava arquivado, ou a campanha estava',
}
const spans: Record<CapSpan, string> = { sale: 'por venda', month: 'por mês', year: 'por ano' }
const periods: Record<Period, string> = {
  month: 'no mês',
  quarter: 'no trimestre',
  year: 'no ano',
  ever: 'no total',
}
const suspected = 'Retida: pode ser uma compra própria. O programa vai decidir.'
const held: Record<HeldReason, string> = {
  self_referral_email: suspected,
  self_referral_domain: suspected,
  self_referral_lookalike: 'Retida até o programa decidir: o endereço do cliente se parece com o do afiliado.',
  visit_after_sale: 'Retida até o programa decidir: o identificador é de uma visita posterior à venda.',
  dispute: 'Retida enquanto o cliente contesta o pagamento.',
  terms_not_accepted: 'Retida até que os termos do programa sejam aceitos.',
}
const nothing: Record<PartNothing, string> = {
  max_commissions_reached: 'este cliente já rendeu tantas comissões quanto a regra permite',
  commission_period_over: 'o período em que este cliente rende comissões tinha terminado',
  rule_earns_nothing: 'pela regra, isso não rende nada',
}

const theRule = (name: string | null) => (name === null ? 'A regra' : `A regra “${name}”`)
const byRule = ({ isByRule, rule }: Part) =>
  isByRule ? (rule === null ? ', por uma regra' : `, pela regra “${rule}”`) : ''
const partOf = (part: Part) =>
  (part.name ?? (part.isOneOfSeveral ? 'Uma parte da venda' : 'O restante da venda')) + byRule(part)
const version = (number: number | null) => (number === null ? '' : ` (versão ${number} das regras)`)
function measured({ measure, value, currency }: Measured, w: Writer): string {
  if (measure === 'conversions') return value === 1n ? '1 venda' : `${w.count(value)} vendas`
  return `${w.money({ cents: value, currency })} em ${measure === 'revenue' ? 'vendas' : 'comissões'}`
}
const left = (paid: Money | null, w: Writer) => (paid ? `, dos quais ${w.money(paid)} são pagos` : '')

const corrections = {
  tiers: 'suas vendas do período atingiram outra faixa',
  rules: 'o ganho de uma venda mudou depois do pagamento',
}

export const why: WhyTexts = {
  attributed: ({ by, missed }) => {
    const tried = missed.map(({ signal, miss }) => `${signals[signal]} ${signalMisses[miss]}`)
    const before = tried.length > 0 ? ` Tentado antes: ${tried.join('; ')}.` : ''
    return `Atribuída por: ${signals[by]}.${before}`
  },
  ownReward: (of) => `Vale a recompensa da própria campanha${version(of.version)}.`,
  rule: (of) => (of.rule === null ? 'Vale uma regra do programa.' : `Vale a regra “${of.rule}”${version(of.version)}.`),
  tier: (of, w) => {
    const what = !of.items
      ? 'A venda entra'
      : of.rule === null
        ? 'Os itens entram'
        : `Pela regra “${of.rule}”, os itens entram`
    const earns = 'basisPoints' in of.earns ? w.percent(of.earns.basisPoints) : w.money(of.earns)
    const from = `${measured(of.from, w)} ${periods[of.period]}${of.wholePeriod ? ', com esta' : ''}`
    return `${what} na faixa a partir de ${from}: ${earns}. Antes, o total era de ${measured(of.before, w)} ${periods[of.period]}.`
  },
  byParts: ({ areItems, earned }, w) =>
    `${areItems ? 'Os itens são calculados' : 'As partes da venda são calculadas'} separadamente, com arredondamento: ${w.money(earned)} no total.`,
  percent: (of, w) =>
    `${w.percent(of.basisPoints)} de ${w.money(of.base)}${of.beforeRefunds ? ` (${w.money(of.beforeRefunds)} antes dos reembolsos)` : ''} são ${w.money(of.earned)}, com arredondamento.`,
  refundedInFull: () => 'A venda foi totalmente reembolsada, por isso o valor fixo não é ganho.',
  fixed: ({ earned }, w) => `Cada venda rende um valor fixo de ${w.money(earned)}.`,
  partNothing: (of) => `${partOf(of)}: nada, porque ${nothing[of.reason]}.`,
  partPercent: (of, w) =>
    `${partOf(of)}: ${w.percent(of.basisPoints)} de ${w.money(of.base)} são ${w.money(of.earned)}${left(of.paid, w)}.`,
  partFixed: (of, w) =>
    `${partOf(of)}: valor fixo de ${w.money(of.earned)}${of.units === null ? '' : ` por ${of.units} unidades`}${left(of.paid, w)}.`,
  cap: (of, w) =>
    `${theRule(of.rule)} paga no máximo ${w.money(of.most)} ${spans[of.per]}${of.used ? `, dos quais ${w.money(of.used)} já tinham sido ganhos` : ''}: restam ${w.money(of.left)}, e ${w.money(of.unpaid)} não são pagos.`,
  refundReversed: ({ refund, at }, w) =>
    `Um reembolso de ${w.money(refund)} foi revertido em ${w.day(at)} e não conta.`,
  void: ({ at }, w) => `Cancelada desde ${w.day(at)}.`,
  amended: ({ amount }, w) => `O valor foi alterado manualmente para ${w.money(amount)}.`,
  amendedKept: ({ amount, byRule, rest }, w) =>
    `O valor foi alterado manualmente para ${w.money(amount)}. Um reembolso não muda isso: pelos ${w.money(rest)} restantes a regra dá ${w.money(byRule)}, o que não é menos.`,
  amendedLowered: ({ rest }, w) =>
    `O valor tinha sido alterado manualmente. Um reembolso o reduziu ao que a regra dá pelos ${w.money(rest)} restantes.`,
  held: ({ reason }) => held[reason],
  credit: (of, w) =>
    `Devolve ${w.money(of.amount)}: um reembolso de ${w.money(of.refund)} foi revertido em ${w.day(of.reversedAt)}, depois que a comissão foi paga.`,
  debt: ({ amount, refund, paid }, w) =>
    `Desconta ${w.money(amount)}: ${w.money(refund)} da venda foram reembolsados depois que a comissão de ${w.money(paid)} foi paga.`,
  debtReversed: ({ at }, w) => `O reembolso foi revertido em ${w.day(at)}.`,
  mostCommissions: ({ counted }) =>
    counted
      ? `Sem comissão: este cliente já rendeu ${counted.had} de no máximo ${counted.most} comissões.`
      : 'Sem comissão: este cliente já rendeu tantas comissões quanto a campanha permite.',
  periodOver: ({ period }, w) =>
    period
      ? `Sem comissão: o período de ${period.months} meses terminou em ${w.day(period.endedAt)}.`
      : 'Sem comissão: o período em que este cliente rende comissões tinha terminado.',
  capUsedUp: ({ cap }, w) =>
    cap
      ? `Sem comissão: a regra paga no máximo ${w.money(cap.most)} ${spans[cap.per]}, e ${w.money(cap.used)} já tinham sido ganhos.`
      : 'Sem comissão: o limite da regra foi atingido.',
  earnsNothing: () => 'Sem comissão: pela regra, essas vendas não rendem nada.',
  attributionUndone: () => 'Sem comissão: a atribuição desta venda foi desfeita.',
  selfReferral: () => 'Sem comissão: a campanha não aceita compras próprias.',
  roundsToZero: () => 'Sem comissão: o valor arredondado é 0.',
  unpaid: ({ at, reason }, w) => `Novamente em aberto desde ${w.day(at)}${reason === null ? '' : `: ${reason}`}.`,
  recalculated: (of, w) =>
    `${of.isLower ? 'Reduzida' : 'Aumentada'} em ${w.money(of.by)} em ${w.day(of.at)}${of.reason === null ? '' : `: ${of.reason}`}.`,
  given: (of, w) => {
    const what = { bonus: 'Um bônus de', deducts: 'Uma correção que desconta', adds: 'Uma correção que soma' }
    const by = { rules: ', pelas regras,', tiers: ', por faixas,', person: of.giver === null ? '' : ` (${of.giver})` }
    return `${what[of.what]} ${w.money(of.amount)}${by[of.by]} em ${w.day(of.at)}: ${of.by === 'person' ? of.reason : (of.reason ?? corrections[of.by])}.`
  },
  corrected: ({ by }) => corrections[by],
  lead: ({ reward, at, rule }, w) =>
    `${w.money(reward)} por um lead em ${w.day(at)}, ${rule === null ? 'por uma regra' : `pela regra “${rule}”`}. É ganho uma vez por cliente.`,
  dueGivesBack: () => 'Vence imediatamente, porque devolve o que um reembolso tinha descontado.',
  dueDeducts: () => 'Vence imediatamente, porque um reembolso depois do pagamento reduz o próximo pagamento.',
  due: ({ days, movedTo, endsBy }, w) => {
    const byRule = days === 0 ? 'com a venda' : `${days} ${days === 1 ? 'dia' : 'dias'} depois da venda`
    const due = movedTo ? `em ${w.day(movedTo)} (definido manualmente; pela regra, ${byRule})` : byRule
    if (endsBy === null) return `Vence ${due}.`
    return `Retida. ${endsBy === 'itself' ? 'Quando nada mais a retiver' : 'Depois de aprovada'}, vence ${due}.`
  },
  dueWithTiers: ({ at }, w) =>
    `Vence em ${w.day(at)}, com a última das comissões de que trata, ou na data definida manualmente.`,
  dueMoved: ({ at }, w) => `Vence em ${w.day(at)}, data definida manualmente.`,
  dueAtOnce: () => 'Vence imediatamente: não há venda que possa ser devolvida.',
  dueAfterLead: ({ at, days }, w) => `Vence em ${w.day(at)}, ${days} ${days === 1 ? 'dia' : 'dias'} depois do lead.`,
}
