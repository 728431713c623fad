import type { MailTexts } from '../en/mails.ts'

export const mails: MailTexts = {
  mails: {
    application_confirm: {
      subject: 'Confirmez votre adresse e-mail pour {{program}}',
      text: "Bonjour,\n\nUne candidature au programme d'affiliation {{program}} a été envoyée avec cette adresse e-mail. Ouvrez ce lien et appuyez sur le bouton de la page pour la confirmer :\n\n{{link}}\n\nLe lien est valable deux jours. Si ce n'était pas vous, ignorez cet e-mail : il ne se passera rien.",
      button: "Confirmer l'adresse e-mail",
    },
    application_received: {
      subject: 'Votre candidature à {{program}}',
      text: "Bonjour {{name}},\n\nVotre candidature au programme d'affiliation {{program}} est bien arrivée. Elle va être examinée, et vous recevrez la décision par e-mail.",
      button: '',
    },
    application_approved: {
      subject: 'Bienvenue chez {{program}}',
      text: "Bonjour {{name}},\n\nVous faites maintenant partie du programme d'affiliation {{program}}. Voici votre lien. Les visiteurs qui l'utilisent et leurs achats vous sont attribués :\n\n{{affiliate_url}}\n\nVotre espace affilié montre les clics, les commissions et les paiements :\n\n{{link}}",
      button: "Ouvrir l'espace affilié",
    },
    application_rejected: {
      subject: 'Votre candidature à {{program}}',
      text: "Bonjour {{name}},\n\nMerci pour votre candidature au programme d'affiliation {{program}}. Elle n'a malheureusement pas été acceptée.\n\n{{reason}}",
      button: '',
    },
    work_waiting: {
      subject: 'Des éléments vous attendent chez {{program}}',
      text: 'Bonjour {{name}},\n\nVoici ce qui vous attend chez {{program}} :\n\n{{list}}\n\n{{link}}',
      button: 'Ouvrir le tableau de bord',
    },
    deliveries_failing: {
      subject: 'Des webhooks ou des flux de {{program}} échouent',
      text: 'Bonjour {{name}},\n\nCes webhooks ou flux de {{program}} échouent :\n\n{{list}}\n\nLe tableau de bord montre les réponses reçues. Les webhooks sont renvoyés pendant trois jours. Un point de terminaison qui échoue aussi longtemps est désactivé.\n\n{{link}}',
      button: 'Voir les échecs',
    },
    payout_runs_made: {
      subject: 'Lots de paiements du {{day}} chez {{program}}',
      text: 'Bonjour {{name}},\n\nCes lots de paiements étaient prévus le {{day}} chez {{program}} :\n\n{{list}}\n\n{{link}}',
      button: 'Ouvrir les lots de paiements',
    },
    monthly_statement: {
      subject: 'Votre relevé chez {{program}} : {{month}}',
      text: 'Bonjour {{name}},\n\nVotre mois chez {{program}} :\n\n{{month}}, gagné : {{earned}}\n{{month}}, versé : {{paid}}\nDû à ce jour : {{due}}\n\n{{link}}',
      button: "Ouvrir l'espace affilié",
    },
    month_closed: {
      subject: 'Votre relevé de {{month}} chez {{program}}, en PDF',
      text: 'Bonjour {{name}},\n\n{{program}} a clôturé le mois : {{month}}. Votre relevé est joint.\n\nDû à la fin du mois : {{owed}}\n\nLe portail l’a aussi sous forme de fichier que chacun peut vérifier :\n\n{{link}}',
      button: 'Ouvrir les relevés',
    },
    terms_changed: {
      subject: 'Nouvelles conditions de {{program}}',
      text: 'Bonjour {{name}},\n\nLe programme d’affiliation {{program}} a de nouvelles conditions. Elles s’appliquent à partir du {{from}}.\n\n{{required}}\n\nÀ partir de ce jour, vous pourrez les lire et les accepter dans l’espace affilié :\n\n{{link}}',
      button: "Ouvrir l'espace affilié",
    },
    reward_changed: {
      subject: 'Votre rémunération chez {{program}} change',
      text: 'Bonjour {{name}},\n\n{{change}}\n\nVoici alors ce que vous gagnez :\n\n{{reward}}\n\n{{before}}\n\nRien ne change pour les ventes antérieures.\n\n{{link}}',
      button: 'Voir ce que vous gagnez',
    },
    invitation: {
      subject: "{{program}} vous invite à son programme d'affiliation",
      text: "Bonjour,\n\n{{program}} vous invite à rejoindre son programme d'affiliation. Cette page présente la rémunération :\n\n{{link}}\n\nSi cela ne vous intéresse pas, ignorez cet e-mail : il ne se passera rien.",
      button: "Voir l'offre",
    },
    commissions_earned: {
      subject: 'Vous avez gagné {{amount}} chez {{program}}',
      text: 'Bonjour {{name}},\n\nNouvelles commissions : {{count}}\nTotal : {{amount}}\n\n{{link}}',
      button: 'Voir vos commissions',
    },
    payout_sent: {
      subject: 'Votre paiement de {{amount}} de {{program}}',
      text: 'Bonjour {{name}},\n\nNous vous avons versé {{amount}}.\n\n{{payment}}\n\n{{link}}',
      button: 'Voir vos paiements',
    },
    payout_failed: {
      subject: "Votre paiement de {{program}} n'est pas arrivé",
      text: "Bonjour {{name}},\n\nLe paiement de {{amount}} a échoué ou nous est revenu. Vérifiez vos coordonnées de paiement dans l'espace affilié. Les commissions seront versées avec votre prochain paiement.\n\n{{payment}}\n\n{{link}}",
      button: 'Vérifier les coordonnées',
    },
    payout_unclaimed: {
      subject: '{{amount}} de {{program}} vous attendent',
      text: "Bonjour {{name}},\n\n{{amount}} vous attendent sur {{service}} : personne ne les a encore acceptés. Connectez-vous sur {{service}} avec l'adresse à laquelle nous avons envoyé le paiement, ou créez un compte avec cette adresse, et acceptez-le.\n\n{{payment}}\n\nUn paiement qui n'est pas accepté nous revient, après 30 jours chez PayPal. Il sera versé avec un prochain paiement.\n\n{{link}}",
      button: 'Voir vos paiements',
    },
    payout_address_dead: {
      subject: "{{program}} a besoin d'une autre adresse de paiement",
      text: "Bonjour {{name}},\n\nTrois paiements vers {{address}} ont échoué, le dernier de {{amount}}. Nous n'envoyons plus de paiement à cette adresse. Indiquez-en une autre dans l'espace affilié : votre prochain paiement y sera envoyé.\n\n{{payment}}\n\n{{link}}",
      button: "Changer l'adresse de paiement",
    },
    payout_address_change: {
      subject: 'Vos coordonnées de paiement chez {{program}} ont changé',
      text: "Bonjour {{name}},\n\nLes informations suivantes ont été modifiées dans votre compte du programme d'affiliation {{program}} : {{what}}.\n\n{{wait}}\n\nSi c'était vous, vous n'avez rien à faire. Sinon, ouvrez ce lien dans les sept jours et appuyez sur son bouton. Vos anciennes coordonnées de paiement seront rétablies :\n\n{{link}}",
      button: "Ce n'était pas moi",
    },
    sign_in: {
      subject: 'Connexion à {{program}}',
      text: "Bonjour,\n\nOuvrez ce lien pour vous connecter à l'espace affilié de {{program}} :\n\n{{link}}\n\nLe lien fonctionne une fois, pendant 15 minutes. Si vous ne l'avez pas demandé, ignorez cet e-mail.",
      button: 'Se connecter',
    },
  },
  footer:
    "Vous recevez cet e-mail parce que vous participez au programme d'affiliation {{program}}.\nNe plus recevoir ce type d'e-mails : {{unsubscribe}}\nChoisir vos e-mails : {{preferences}}",
  payoutFields: {
    preferredPayoutMethod: 'le mode de paiement',
    paypalEmail: "l'adresse PayPal",
    wiseEmail: "l'adresse Wise",
    stripeAccount: 'le compte Stripe',
    iban: 'le compte bancaire',
    bic: 'le BIC de la banque',
  },
  paymentService: 'le service de paiement',
  payoutsWait: (until) => `Les paiements sont suspendus jusqu'au ${until}.`,
  payoutChangeRejected: {
    subject: 'Vos coordonnées de paiement chez {{program}} ont été rétablies',
    text: "Bonjour {{name}},\n\nUne modification de vos coordonnées de paiement dans le programme d'affiliation {{program}} a été refusée à l'aide du lien de notre e-mail. Les coordonnées précédentes sont rétablies. Ce qui a changé : {{what}}.\n\n{{wait}}\n\nVérifiez dans l'espace affilié que les coordonnées sont correctes :\n\n{{link}}",
    button: 'Vérifier les coordonnées',
  },
  managerFooter:
    'Vous recevez cet e-mail parce que vous gérez {{program}}.\nNe plus recevoir ce type d’e-mails : {{unsubscribe}}\nLe tableau de bord permet de les réactiver, sous « Mails ».',
  scheduledRun: {
    prepared: (sum) => `attend une personne : ${sum}`,
    sent: (sum) => `a été envoyé : ${sum}`,
    skipped: () => 'n’a pas été créé',
    failed: () => 'a échoué',
  },
  waiting: {
    applications: (count) => `Candidatures en attente d’une décision : ${count}`,
    held: (count) => `Commissions retenues : ${count}`,
    proposals: (count) => `Propositions en attente de confirmation : ${count}`,
    payouts: (count) => `Paiements qui peuvent être effectués : ${count}`,
    webhooks: (count) => `Points de terminaison de webhooks en échec : ${count}`,
    feeds: (count) => `Flux qui refusent des requêtes : ${count}`,
  },
  termsRequired: (date) =>
    `Acceptez-les avant le ${date}. Passé cette date, vos nouvelles commissions seront retenues jusqu’à ce que vous les acceptiez.`,
  rewardBefore: (lines) => `Jusque-là :\n${lines}`,
}
