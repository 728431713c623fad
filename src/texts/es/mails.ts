import type { MailTexts } from '../en/mails.ts'

export const mails: MailTexts = {
  mails: {
    application_confirm: {
      subject: 'Confirme su correo electrónico para {{program}}',
      text: 'Hola:\n\nAlguien ha solicitado unirse al programa de afiliados {{program}} con esta dirección de correo. Abra este enlace y pulse el botón de la página para confirmarla:\n\n{{link}}\n\nEl enlace es válido durante dos días. Si no fue usted, ignore este correo: no ocurrirá nada.',
      button: 'Confirmar el correo',
    },
    application_received: {
      subject: 'Su solicitud a {{program}}',
      text: 'Hola, {{name}}:\n\nHemos recibido su solicitud para el programa de afiliados {{program}}. Una persona la revisará y usted recibirá la decisión por correo.',
      button: '',
    },
    application_approved: {
      subject: 'Le damos la bienvenida a {{program}}',
      text: 'Hola, {{name}}:\n\nYa forma parte del programa de afiliados {{program}}. Este es su enlace. Las visitas que lleguen por él y sus compras se le atribuirán a usted:\n\n{{affiliate_url}}\n\nEn su portal verá los clics, las comisiones y los pagos:\n\n{{link}}',
      button: 'Abrir el portal',
    },
    application_rejected: {
      subject: 'Su solicitud a {{program}}',
      text: 'Hola, {{name}}:\n\nGracias por su solicitud para el programa de afiliados {{program}}. Lamentablemente, no ha sido aceptada.\n\n{{reason}}',
      button: '',
    },
    work_waiting: {
      subject: 'Hay tareas pendientes en {{program}}',
      text: 'Hola, {{name}}:\n\nEsto le espera en {{program}}:\n\n{{list}}\n\n{{link}}',
      button: 'Abrir el panel',
    },
    deliveries_failing: {
      subject: 'Fallan webhooks o fuentes de {{program}}',
      text: 'Hola, {{name}}:\n\nEstos webhooks o fuentes de {{program}} fallan:\n\n{{list}}\n\nEl panel muestra las respuestas recibidas. Los webhooks se reenvían durante tres días. Un destino que falla durante ese tiempo se desactiva.\n\n{{link}}',
      button: 'Ver los fallos',
    },
    payout_runs_made: {
      subject: 'Remesas de pagos del {{day}} en {{program}}',
      text: 'Hola, {{name}}:\n\nEstas remesas de pagos correspondían al {{day}} en {{program}}:\n\n{{list}}\n\n{{link}}',
      button: 'Abrir las remesas',
    },
    monthly_statement: {
      subject: 'Su resumen de {{month}} de {{program}}',
      text: 'Hola, {{name}}:\n\nSu mes en {{program}}:\n\nGanado en {{month}}: {{earned}}\nPagado en {{month}}: {{paid}}\nPendiente de pago ahora: {{due}}\n\n{{link}}',
      button: 'Abrir el portal',
    },
    month_closed: {
      subject: 'Su extracto de {{month}} de {{program}}, en PDF',
      text: 'Hola, {{name}}:\n\n{{program}} ha cerrado {{month}}. Su extracto va adjunto.\n\nPendiente de pago al final del mes: {{owed}}\n\nEl portal también lo tiene como archivo que cualquiera puede verificar:\n\n{{link}}',
      button: 'Abrir los extractos',
    },
    terms_changed: {
      subject: 'Nuevas condiciones de {{program}}',
      text: 'Hola, {{name}}:\n\nEl programa de afiliados {{program}} tiene nuevas condiciones. Se aplican a partir del {{from}}.\n\n{{required}}\n\nA partir de ese día, puede leerlas y aceptarlas en el portal:\n\n{{link}}',
      button: 'Abrir el portal',
    },
    reward_changed: {
      subject: 'Cambia lo que gana en {{program}}',
      text: 'Hola, {{name}}:\n\n{{change}}\n\nEsto es lo que ganará entonces:\n\n{{reward}}\n\n{{before}}\n\nLas ventas anteriores no cambian.\n\n{{link}}',
      button: 'Ver lo que gana',
    },
    invitation: {
      subject: '{{program}} le invita a su programa de afiliados',
      text: 'Hola:\n\n{{program}} le invita a unirse a su programa de afiliados. En esta página se indica cuánto paga:\n\n{{link}}\n\nSi no le interesa, ignore este correo: no ocurrirá nada.',
      button: 'Ver la oferta',
    },
    commissions_earned: {
      subject: 'Ha ganado {{amount}} en {{program}}',
      text: 'Hola, {{name}}:\n\nComisiones nuevas: {{count}}\nEn total: {{amount}}\n\n{{link}}',
      button: 'Ver sus comisiones',
    },
    payout_sent: {
      subject: 'Su pago de {{amount}} de {{program}}',
      text: 'Hola, {{name}}:\n\nLe hemos pagado {{amount}}.\n\n{{payment}}\n\n{{link}}',
      button: 'Ver sus pagos',
    },
    payout_failed: {
      subject: 'Su pago de {{program}} no ha llegado',
      text: 'Hola, {{name}}:\n\nEl pago de {{amount}} ha fallado o ha sido devuelto. Revise en el portal sus datos de pago. Las comisiones se abonarán con su próximo pago.\n\n{{payment}}\n\n{{link}}',
      button: 'Revisar los datos de pago',
    },
    payout_unclaimed: {
      subject: '{{amount}} de {{program}} le esperan',
      text: 'Hola, {{name}}:\n\n{{amount}} le esperan en {{service}}: nadie ha aceptado todavía el pago. Entre en {{service}} con la dirección a la que lo enviamos, o abra una cuenta con esa dirección, y acéptelo.\n\n{{payment}}\n\nSi no se acepta, el pago nos es devuelto, en PayPal después de 30 días, y lo recibirá con un pago posterior.\n\n{{link}}',
      button: 'Ver sus pagos',
    },
    payout_address_dead: {
      subject: '{{program}} necesita otra dirección de pago',
      text: 'Hola, {{name}}:\n\nTres pagos a {{address}} han fallado, el último de {{amount}}. Ya no enviamos pagos a esa dirección. Indique otra en el portal: su próximo pago se enviará a ella.\n\n{{payment}}\n\n{{link}}',
      button: 'Cambiar la dirección de pago',
    },
    payout_address_change: {
      subject: 'Sus datos de pago en {{program}} han cambiado',
      text: 'Hola, {{name}}:\n\nAlguien ha cambiado lo siguiente en su cuenta del programa de afiliados {{program}}: {{what}}.\n\n{{wait}}\n\nSi fue usted, no tiene que hacer nada. Si no, abra este enlace en un plazo de siete días y pulse el botón. Así se volverán a usar sus datos de pago anteriores:\n\n{{link}}',
      button: 'No fui yo',
    },
    sign_in: {
      subject: 'Acceso a {{program}}',
      text: 'Hola:\n\nAbra este enlace para entrar en el portal de afiliados de {{program}}:\n\n{{link}}\n\nEl enlace funciona una sola vez, durante 15 minutos. Si no lo ha pedido, ignore este correo.',
      button: 'Entrar',
    },
  },
  footer:
    'Recibe este correo porque forma parte del programa de afiliados {{program}}.\nDejar de recibir este tipo de correos: {{unsubscribe}}\nElegir sus correos: {{preferences}}',
  payoutFields: {
    preferredPayoutMethod: 'la forma de pago',
    paypalEmail: 'la dirección de PayPal',
    wiseEmail: 'la dirección de Wise',
    stripeAccount: 'la cuenta de Stripe',
    iban: 'la cuenta bancaria',
    bic: 'el BIC del banco',
  },
  paymentService: 'el servicio de pago',
  payoutsWait: (until) => `Los pagos quedan en espera hasta: ${until}.`,
  payoutChangeRejected: {
    subject: 'Sus datos de pago en {{program}} se han restablecido',
    text: 'Hola, {{name}}:\n\nSe ha rechazado un cambio de sus datos de pago en el programa de afiliados {{program}}, mediante el enlace de nuestro correo. Se vuelven a usar los datos anteriores. Ha cambiado lo siguiente: {{what}}.\n\n{{wait}}\n\nCompruebe en el portal que los datos son correctos:\n\n{{link}}',
    button: 'Revisar los datos de pago',
  },
  managerFooter:
    'Recibe este correo porque gestiona {{program}}.\nDejar de recibir este tipo de correos: {{unsubscribe}}\nEn el panel, en «Mails», puede volver a activarlos.',
  scheduledRun: {
    prepared: (sum) => `espera a una persona: ${sum}`,
    sent: (sum) => `se envió: ${sum}`,
    skipped: () => 'no se creó',
    failed: () => 'falló',
  },
  waiting: {
    applications: (count) => `Solicitudes que esperan una decisión: ${count}`,
    held: (count) => `Comisiones retenidas: ${count}`,
    proposals: (count) => `Propuestas que esperan confirmación: ${count}`,
    payouts: (count) => `Pagos que se pueden realizar: ${count}`,
    webhooks: (count) => `Destinos de webhooks que fallan: ${count}`,
    feeds: (count) => `Fuentes que rechazan solicitudes: ${count}`,
  },
  termsRequired: (date) =>
    `Acéptelas antes del ${date}. Después, sus nuevas comisiones se retendrán hasta que las acepte.`,
  rewardBefore: (lines) => `Hasta entonces:\n${lines}`,
}
