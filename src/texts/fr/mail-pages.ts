import type { MailPageTexts } from '../en/mail-pages.ts'

export const mailPages: MailPageTexts = {
  title: 'E-mails',
  invalid: 'Ce lien ne fonctionne plus',
  incomplete: 'Ouvrez le lien complet de l’e-mail.',
  moving: 'Cela n’a pas encore fonctionné',
  movingText: 'Le programme est en cours de transfert vers un autre serveur. Réessayez dans une heure.',
  stop: {
    question: (what) => `Ne plus recevoir ${what} ?`,
    button: 'Ne plus recevoir ces e-mails',
    done: (what) => `Vous ne recevrez plus ${what}`,
    again: "Vous pouvez les réactiver dans l'espace affilié.",
    againForManagers: 'Vous pouvez les réactiver dans le tableau de bord.',
    what: {
      commissions: "d'e-mails sur les nouvelles commissions",
      payouts: "d'e-mails sur les paiements",
      statements: 'de relevés mensuels',
      terms: "d'e-mails sur les nouvelles conditions",
      messages: 'de messages du programme',
      daily: "d'e-mails sur ce qui vous attend",
      failures: "d'e-mails sur les webhooks et les flux en échec",
    },
  },
  reject: {
    question: 'Refuser les nouvelles coordonnées de paiement ?',
    text: 'Vos coordonnées précédentes seront alors rétablies, si elles ont au moins sept jours. Les paiements sont de nouveau suspendus.',
    button: 'Refuser',
    done: 'Vos anciennes coordonnées de paiement sont rétablies',
    doneText: "Signalez au programme que quelqu'un d'autre a eu accès à votre compte.",
    invalidText: 'Ouvrez le lien du dernier e-mail ou demandez au programme de modifier vos coordonnées de paiement.',
  },
  preferences: {
    title: 'Vos e-mails',
    saved: 'Enregistré.',
    save: 'Enregistrer',
    commissions: 'Nouvelles commissions',
    cadences: {
      at_once: 'immédiatement',
      daily: 'une fois par jour',
      weekly: 'une fois par semaine',
      never: 'jamais',
    },
    payouts: 'Paiements envoyés ou échoués',
    statements: 'Un relevé de chaque mois',
    terms: 'Nouvelles conditions',
    messages: 'Messages du programme',
  },
}
