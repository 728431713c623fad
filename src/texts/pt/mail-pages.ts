import type { MailPageTexts } from '../en/mail-pages.ts'

export const mailPages: MailPageTexts = {
  title: 'E-mails',
  invalid: 'Este link não funciona mais',
  incomplete: 'Abra o link completo do e-mail.',
  moving: 'Ainda não funcionou',
  movingText: 'O programa está sendo transferido para outro servidor. Tente novamente em uma hora.',
  stop: {
    question: (what) => `Parar de receber ${what}?`,
    button: 'Parar de receber',
    done: (what) => `Você não receberá mais ${what}`,
    again: 'Você pode ativá-los de novo no portal.',
    againForManagers: 'Você pode reativá-los no painel.',
    what: {
      commissions: 'e-mails sobre novas comissões',
      payouts: 'e-mails sobre pagamentos',
      statements: 'extratos mensais',
      terms: 'e-mails sobre novos termos',
      messages: 'mensagens do programa',
      daily: 'e-mails sobre o que espera por você',
      failures: 'e-mails sobre webhooks e fontes com falhas',
    },
  },
  reject: {
    question: 'Rejeitar os novos dados de pagamento?',
    text: 'Seus dados de pagamento anteriores voltarão a ser usados, se tiverem pelo menos sete dias. Os pagamentos ficam novamente em espera.',
    button: 'Rejeitar',
    done: 'Seus dados de pagamento anteriores voltaram a ser usados',
    doneText: 'Avise o programa de que outra pessoa teve acesso à sua conta.',
    invalidText: 'Abra o link do e-mail mais recente ou peça ao programa que altere seus dados de pagamento.',
  },
  preferences: {
    title: 'Seus e-mails',
    saved: 'Salvo.',
    save: 'Salvar',
    commissions: 'Novas comissões',
    cadences: { at_once: 'na hora', daily: 'uma vez por dia', weekly: 'uma vez por semana', never: 'nunca' },
    payouts: 'Pagamentos enviados ou que falharam',
    statements: 'Um extrato de cada mês',
    terms: 'Novos termos',
    messages: 'Mensagens do programa',
  },
}
