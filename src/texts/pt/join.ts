import type { JoinTexts } from '../en/join.ts'
import { formsIn } from '../forms.ts'

const n = formsIn('pt')

export const join: JoinTexts = {
  languages: 'Idiomas',
  title: (program) => `Torne-se afiliado de ${program}`,
  closed: 'O programa não aceita candidaturas no momento.',
  notFound: {
    title: 'Página não encontrada',
    text: 'Não há nada neste endereço. Verifique o link ou peça um novo ao programa.',
  },
  email: 'E-mail',
  firstName: 'Nome',
  lastName: 'Sobrenome',
  optional: (label) => `${label} (opcional)`,
  leaveEmpty: 'Deixe este campo vazio',
  terms: 'Termos',
  acceptTerms: 'Aceito os termos',
  apply: 'Enviar candidatura',
  problems: {
    blank: (label) => `${label}: preencha este campo.`,
    url: (label) => `${label}: o endereço deve começar com http:// ou https://.`,
    tooLong: (label, most) => `${label}: o texto é longo demais (no máximo ${most} caracteres).`,
    number: (label) => `${label}: escreva um número como 12.5.`,
    date: (label) => `${label}: escreva uma data como 2026-01-31.`,
    campaign: 'Esta campanha não aceita inscrições no momento.',
    wrong: (label) => `${label}: confira este dado.`,
    terms: 'Aceite os termos para se candidatar.',
  },
  deal: {
    percent: (percent) => `${percent} de cada pagamento`,
    amount: (amount) => `${amount} por cada pagamento`,
    earn: (reward, most, limit) => `Você ganha ${reward} de um cliente que você traz${most}${limit}.`,
    most: n({ one: ', no máximo # vez', other: ', no máximo # vezes' }),
    limit: n({ one: ', por # mês', other: ', por # meses' }),
  },
  sent: {
    title: (program) => `Candidatura a ${program}`,
    heading: 'Veja sua caixa de entrada',
    text: (program) => `Enviamos a você um e-mail com um link. Abra-o para confirmar sua candidatura a ${program}.`,
  },
  confirm: {
    title: 'Confirme seu e-mail',
    text: 'Clique no botão para confirmar sua candidatura.',
    button: 'Confirmar',
    applied: 'Obrigado. Seu e-mail está confirmado. Você receberá a decisão por e-mail.',
    approved: 'Boas-vindas! Agora você é afiliado. Enviamos a você um e-mail com o seu link.',
    rejected: 'Seu e-mail está confirmado. Sua candidatura não foi aceita: veja o e-mail.',
    expired: 'Esta candidatura expirou. Candidate-se de novo.',
    invalid: 'Este link não é válido ou expirou. Candidate-se de novo para receber outro.',
    failed: 'O serviço não respondeu. Tente de novo.',
    noscript: 'Esta página precisa de JavaScript.',
  },
}
