import type { MailTexts } from '../en/mails.ts'

export const mails: MailTexts = {
  mails: {
    application_confirm: {
      subject: 'Confirme seu e-mail para {{program}}',
      text: 'Olá,\n\nAlguém se candidatou ao programa de afiliados {{program}} com este endereço de e-mail. Abra este link e clique no botão da página para confirmá-lo:\n\n{{link}}\n\nO link vale por dois dias. Se não foi você, ignore este e-mail: nada acontecerá.',
      button: 'Confirmar o e-mail',
    },
    application_received: {
      subject: 'Sua candidatura ao {{program}}',
      text: 'Olá, {{name}},\n\nSua candidatura ao programa de afiliados {{program}} chegou. Uma pessoa vai analisá-la, e você receberá a decisão por e-mail.',
      button: '',
    },
    application_approved: {
      subject: 'Boas-vindas ao {{program}}',
      text: 'Olá, {{name}},\n\nAgora você faz parte do programa de afiliados {{program}}. Este é o seu link. Os visitantes que chegam por ele, e o que eles compram, contam para você:\n\n{{affiliate_url}}\n\nNo portal você vê cliques, comissões e pagamentos:\n\n{{link}}',
      button: 'Abrir o portal',
    },
    application_rejected: {
      subject: 'Sua candidatura ao {{program}}',
      text: 'Olá, {{name}},\n\nAgradecemos sua candidatura ao programa de afiliados {{program}}. Infelizmente, ela não foi aceita.\n\n{{reason}}',
      button: '',
    },
    work_waiting: {
      subject: 'Há tarefas à sua espera em {{program}}',
      text: 'Olá, {{name}},\n\nIsto espera por você em {{program}}:\n\n{{list}}\n\n{{link}}',
      button: 'Abrir o painel',
    },
    deliveries_failing: {
      subject: 'Webhooks ou fontes de {{program}} falham',
      text: 'Olá, {{name}},\n\nEstes webhooks ou fontes de {{program}} falham:\n\n{{list}}\n\nO painel mostra as respostas recebidas. Os webhooks são reenviados durante três dias. Um destino que falha por esse tempo é desativado.\n\n{{link}}',
      button: 'Ver as falhas',
    },
    payout_runs_made: {
      subject: 'Lotes de pagamentos de {{day}} em {{program}}',
      text: 'Olá, {{name}},\n\nEstes lotes de pagamentos estavam previstos para {{day}} em {{program}}:\n\n{{list}}\n\n{{link}}',
      button: 'Abrir os lotes de pagamentos',
    },
    monthly_statement: {
      subject: 'Seu extrato de {{month}} de {{program}}',
      text: 'Olá, {{name}},\n\nSeu mês em {{program}}:\n\nGanho em {{month}}: {{earned}}\nPago em {{month}}: {{paid}}\nA receber agora: {{due}}\n\n{{link}}',
      button: 'Abrir o portal',
    },
    month_closed: {
      subject: 'Seu extrato de {{month}} de {{program}}, em PDF',
      text: 'Olá, {{name}},\n\n{{program}} fechou {{month}}. Seu extrato está anexo.\n\nA receber no fim do mês: {{owed}}\n\nO portal também o tem como arquivo que qualquer pessoa pode verificar:\n\n{{link}}',
      button: 'Abrir os extratos',
    },
    terms_changed: {
      subject: 'Novos termos de {{program}}',
      text: 'Olá, {{name}},\n\nO programa de afiliados {{program}} tem novos termos. Eles valem a partir de {{from}}.\n\n{{required}}\n\nA partir desse dia, você pode lê-los e aceitá-los no portal:\n\n{{link}}',
      button: 'Abrir o portal',
    },
    reward_changed: {
      subject: 'Mudança no que você ganha em {{program}}',
      text: 'Olá, {{name}},\n\n{{change}}\n\nA partir daí, você ganha assim:\n\n{{reward}}\n\n{{before}}\n\nPara as vendas anteriores, nada muda.\n\n{{link}}',
      button: 'Ver o que você ganha',
    },
    invitation: {
      subject: '{{program}} convida você para o programa de afiliados',
      text: 'Olá,\n\n{{program}} convida você para o seu programa de afiliados. Esta página mostra quanto ele paga:\n\n{{link}}\n\nSe você não tiver interesse, ignore este e-mail: nada acontecerá.',
      button: 'Ver a oferta',
    },
    commissions_earned: {
      subject: 'Você ganhou {{amount}} em {{program}}',
      text: 'Olá, {{name}},\n\nNovas comissões: {{count}}\nTotal: {{amount}}\n\n{{link}}',
      button: 'Ver suas comissões',
    },
    payout_sent: {
      subject: 'Seu pagamento de {{amount}} de {{program}}',
      text: 'Olá, {{name}},\n\nPagamos {{amount}} a você.\n\n{{payment}}\n\n{{link}}',
      button: 'Ver seus pagamentos',
    },
    payout_failed: {
      subject: 'Seu pagamento de {{program}} não chegou',
      text: 'Olá, {{name}},\n\nO pagamento de {{amount}} falhou ou foi devolvido. Confira seus dados de pagamento no portal. As comissões serão pagas com o seu próximo pagamento.\n\n{{payment}}\n\n{{link}}',
      button: 'Conferir os dados',
    },
    payout_unclaimed: {
      subject: '{{amount}} de {{program}} esperam por você',
      text: 'Olá, {{name}},\n\n{{amount}} esperam por você: o pagamento por {{service}} ainda não foi aceito. Entre na sua conta com o endereço para o qual enviamos o pagamento, ou abra uma conta com esse endereço, e aceite-o.\n\n{{payment}}\n\nSe não for aceito, o pagamento volta para nós, no PayPal depois de 30 dias, e você o recebe com um pagamento posterior.\n\n{{link}}',
      button: 'Ver seus pagamentos',
    },
    payout_address_dead: {
      subject: '{{program}} precisa de outro endereço de pagamento',
      text: 'Olá, {{name}},\n\nTrês pagamentos para {{address}} falharam, o último de {{amount}}. Não enviamos mais pagamentos para esse endereço. Informe outro no portal: seu próximo pagamento irá para ele.\n\n{{payment}}\n\n{{link}}',
      button: 'Mudar o endereço de pagamento',
    },
    payout_address_change: {
      subject: 'Seus dados de pagamento em {{program}} mudaram',
      text: 'Olá, {{name}},\n\nAlguém alterou o seguinte na sua conta do programa de afiliados {{program}}: {{what}}.\n\n{{wait}}\n\nSe foi você, não precisa fazer nada. Se não foi, abra este link em até sete dias e clique no botão. Seus dados de pagamento anteriores voltarão a ser usados:\n\n{{link}}',
      button: 'Não fui eu',
    },
    sign_in: {
      subject: 'Entrar em {{program}}',
      text: 'Olá,\n\nAbra este link para entrar no portal de afiliados de {{program}}:\n\n{{link}}\n\nO link funciona uma vez, dentro de 15 minutos. Se você não o pediu, ignore este e-mail.',
      button: 'Entrar',
    },
  },
  footer:
    'Você recebe este e-mail porque faz parte do programa de afiliados {{program}}.\nParar de receber e-mails deste tipo: {{unsubscribe}}\nEscolher seus e-mails: {{preferences}}',
  payoutFields: {
    preferredPayoutMethod: 'a forma de pagamento',
    paypalEmail: 'o endereço do PayPal',
    wiseEmail: 'o endereço da Wise',
    stripeAccount: 'a conta da Stripe',
    iban: 'a conta bancária',
    bic: 'o BIC do banco',
  },
  paymentService: 'serviço de pagamento',
  payoutsWait: (until) => `Os pagamentos ficam em espera até: ${until}.`,
  payoutChangeRejected: {
    subject: 'Seus dados de pagamento em {{program}} foram restaurados',
    text: 'Olá, {{name}},\n\nUma alteração dos seus dados de pagamento no programa de afiliados {{program}} foi rejeitada pelo link do nosso e-mail. Os dados anteriores voltaram a ser usados. O que mudou: {{what}}.\n\n{{wait}}\n\nConfira no portal se os dados estão corretos:\n\n{{link}}',
    button: 'Conferir os dados',
  },
  managerFooter:
    'Você recebe este e-mail porque administra {{program}}.\nNão receber mais e-mails deste tipo: {{unsubscribe}}\nNo painel, em “Mails”, eles podem ser reativados.',
  scheduledRun: {
    prepared: (sum) => `aguarda uma pessoa: ${sum}`,
    sent: (sum) => `foi enviado: ${sum}`,
    skipped: () => 'não foi criado',
    failed: () => 'falhou',
  },
  waiting: {
    applications: (count) => `Candidaturas que esperam uma decisão: ${count}`,
    held: (count) => `Comissões retidas: ${count}`,
    proposals: (count) => `Propostas que esperam confirmação: ${count}`,
    payouts: (count) => `Pagamentos que podem ser feitos: ${count}`,
    webhooks: (count) => `Destinos de webhooks com falhas: ${count}`,
    feeds: (count) => `Fontes que rejeitam solicitações: ${count}`,
  },
  termsRequired: (date) =>
    `Aceite-os até ${date}. Depois disso, suas novas comissões ficarão retidas até que você os aceite.`,
  rewardBefore: (lines) => `Até lá:\n${lines}`,
}
