import type { MailTexts } from '../en/mails.ts'

export const mails: MailTexts = {
  mails: {
    application_confirm: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse für {{program}}',
      text: 'Guten Tag,\n\njemand hat sich mit dieser E-Mail-Adresse beim Partnerprogramm {{program}} beworben. Öffnen Sie diesen Link und bestätigen Sie mit der Schaltfläche auf der Seite:\n\n{{link}}\n\nDer Link gilt zwei Tage. Wenn Sie es nicht waren, können Sie diese E-Mail ignorieren: Es passiert nichts.',
      button: 'E-Mail-Adresse bestätigen',
    },
    application_received: {
      subject: 'Ihre Bewerbung bei {{program}}',
      text: 'Guten Tag {{name}},\n\nIhre Bewerbung beim Partnerprogramm {{program}} ist eingegangen. Jemand sieht sie sich an, und Sie erhalten die Entscheidung per E-Mail.',
      button: '',
    },
    application_approved: {
      subject: 'Willkommen bei {{program}}',
      text: 'Guten Tag {{name}},\n\nSie sind jetzt Partner von {{program}}. Dies ist Ihr Link. Besucher, die über ihn kommen, und deren Käufe werden Ihnen zugerechnet:\n\n{{affiliate_url}}\n\nIm Portal sehen Sie Klicks, Provisionen und Auszahlungen:\n\n{{link}}',
      button: 'Portal öffnen',
    },
    application_rejected: {
      subject: 'Ihre Bewerbung bei {{program}}',
      text: 'Guten Tag {{name}},\n\nvielen Dank für Ihre Bewerbung beim Partnerprogramm {{program}}. Sie wurde leider nicht angenommen.\n\n{{reason}}',
      button: '',
    },
    work_waiting: {
      subject: 'Bei {{program}} wartet etwas auf Sie',
      text: 'Guten Tag {{name}},\n\nbei {{program}} wartet auf Sie:\n\n{{list}}\n\n{{link}}',
      button: 'Dashboard öffnen',
    },
    deliveries_failing: {
      subject: 'Webhooks oder Feeds von {{program}} schlagen fehl',
      text: 'Guten Tag {{name}},\n\ndiese Webhooks oder Feeds von {{program}} schlagen fehl:\n\n{{list}}\n\nIm Dashboard steht, was geantwortet wurde. Webhooks werden drei Tage lang wiederholt. Ein Endpunkt, der so lange fehlschlägt, wird abgeschaltet.\n\n{{link}}',
      button: 'Fehler ansehen',
    },
    payout_runs_made: {
      subject: 'Auszahlungsläufe vom {{day}} bei {{program}}',
      text: 'Guten Tag {{name}},\n\ndiese Auszahlungsläufe waren am {{day}} bei {{program}} fällig:\n\n{{list}}\n\n{{link}}',
      button: 'Auszahlungsläufe öffnen',
    },
    monthly_statement: {
      subject: 'Ihre Abrechnung für {{month}} von {{program}}',
      text: 'Guten Tag {{name}},\n\nIhr Monat bei {{program}}:\n\nVerdient im {{month}}: {{earned}}\nAusgezahlt im {{month}}: {{paid}}\nJetzt fällig: {{due}}\n\n{{link}}',
      button: 'Portal öffnen',
    },
    month_closed: {
      subject: 'Ihre Abrechnung für {{month}} von {{program}} als PDF',
      text: 'Guten Tag {{name}},\n\n{{program}} hat den Monat {{month}} abgeschlossen. Ihre Abrechnung ist angehängt.\n\nAm Ende des Monats offen: {{owed}}\n\nIm Portal finden Sie sie auch als Datei, die jeder prüfen kann:\n\n{{link}}',
      button: 'Abrechnungen öffnen',
    },
    terms_changed: {
      subject: 'Neue Teilnahmebedingungen von {{program}}',
      text: 'Guten Tag {{name}},\n\ndas Partnerprogramm {{program}} hat neue Teilnahmebedingungen. Sie gelten ab {{from}}.\n\n{{required}}\n\nAb diesem Tag können Sie sie im Portal lesen und ihnen zustimmen:\n\n{{link}}',
      button: 'Portal öffnen',
    },
    reward_changed: {
      subject: 'Ihre Vergütung bei {{program}} ändert sich',
      text: 'Guten Tag {{name}},\n\n{{change}}\n\nDann gilt für Sie:\n\n{{reward}}\n\n{{before}}\n\nFür frühere Verkäufe ändert sich nichts.\n\n{{link}}',
      button: 'Ihre Vergütung ansehen',
    },
    invitation: {
      subject: '{{program}} lädt Sie ins Partnerprogramm ein',
      text: 'Guten Tag,\n\n{{program}} lädt Sie in sein Partnerprogramm ein. Auf dieser Seite steht, was Sie verdienen:\n\n{{link}}\n\nWenn Sie kein Interesse haben, können Sie diese E-Mail ignorieren: Es passiert nichts.',
      button: 'Angebot ansehen',
    },
    commissions_earned: {
      subject: 'Sie haben {{amount}} bei {{program}} verdient',
      text: 'Guten Tag {{name}},\n\nneue Provisionen: {{count}}\nZusammen: {{amount}}\n\n{{link}}',
      button: 'Provisionen ansehen',
    },
    payout_sent: {
      subject: 'Ihre Auszahlung über {{amount}} von {{program}}',
      text: 'Guten Tag {{name}},\n\nwir haben Ihnen {{amount}} ausgezahlt.\n\n{{payment}}\n\n{{link}}',
      button: 'Auszahlungen ansehen',
    },
    payout_failed: {
      subject: 'Ihre Auszahlung von {{program}} ist nicht angekommen',
      text: 'Guten Tag {{name}},\n\ndie Zahlung von {{amount}} ist fehlgeschlagen oder zurückgekommen. Prüfen Sie im Portal, wohin wir zahlen. Die Provisionen kommen mit Ihrer nächsten Auszahlung.\n\n{{payment}}\n\n{{link}}',
      button: 'Auszahlungsdaten prüfen',
    },
    payout_unclaimed: {
      subject: '{{amount}} von {{program}} warten auf Sie',
      text: 'Guten Tag {{name}},\n\n{{amount}} liegen für Sie bei {{service}} bereit und wurden dort noch nicht angenommen. Melden Sie sich bei {{service}} mit der Adresse an, an die wir gezahlt haben, oder eröffnen Sie mit dieser Adresse ein Konto, und nehmen Sie die Zahlung an.\n\n{{payment}}\n\nEine Zahlung, die nicht angenommen wird, kommt zu uns zurück, bei PayPal nach 30 Tagen. Sie erhalten den Betrag dann mit einer späteren Auszahlung.\n\n{{link}}',
      button: 'Auszahlungen ansehen',
    },
    payout_address_dead: {
      subject: '{{program}} braucht eine andere Zahlungsadresse von Ihnen',
      text: 'Guten Tag {{name}},\n\ndrei Zahlungen an {{address}} sind fehlgeschlagen, zuletzt eine von {{amount}}. Wir zahlen nicht mehr an diese Adresse. Bitte geben Sie im Portal eine andere an. Ihre nächste Auszahlung geht dann dorthin.\n\n{{payment}}\n\n{{link}}',
      button: 'Zahlungsadresse ändern',
    },
    payout_address_change: {
      subject: 'Ihre Auszahlungsdaten bei {{program}} wurden geändert',
      text: 'Guten Tag {{name}},\n\njemand hat in Ihrem Konto beim Partnerprogramm {{program}} Folgendes geändert: {{what}}.\n\n{{wait}}\n\nWenn Sie es waren, müssen Sie nichts tun. Wenn nicht, öffnen Sie innerhalb von sieben Tagen diesen Link und klicken Sie auf die Schaltfläche. Dann gelten wieder Ihre bisherigen Auszahlungsdaten:\n\n{{link}}',
      button: 'Das war ich nicht',
    },
    sign_in: {
      subject: 'Anmelden bei {{program}}',
      text: 'Guten Tag,\n\nüber diesen Link melden Sie sich im Partnerportal von {{program}} an:\n\n{{link}}\n\nDer Link gilt einmal, innerhalb von 15 Minuten. Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren.',
      button: 'Anmelden',
    },
  },
  footer:
    'Sie erhalten diese E-Mail, weil Sie Partner von {{program}} sind.\nE-Mails dieser Art abbestellen: {{unsubscribe}}\nE-Mails auswählen: {{preferences}}',
  payoutFields: {
    preferredPayoutMethod: 'die Auszahlungsart',
    paypalEmail: 'die PayPal-Adresse',
    wiseEmail: 'die Wise-Adresse',
    stripeAccount: 'das Stripe-Konto',
    iban: 'das Bankkonto',
    bic: 'der BIC der Bank',
  },
  paymentService: 'dem Zahlungsdienst',
  payoutsWait: (until) => `Auszahlungen warten bis ${until}.`,
  payoutChangeRejected: {
    subject: 'Ihre Auszahlungsdaten bei {{program}} wurden zurückgesetzt',
    text: 'Guten Tag {{name}},\n\neine Änderung Ihrer Auszahlungsdaten beim Partnerprogramm {{program}} wurde über den Link in unserer E-Mail abgelehnt. Es gelten wieder die früheren Daten. Das ist jetzt anders: {{what}}.\n\n{{wait}}\n\nPrüfen Sie im Portal, ob die Daten stimmen:\n\n{{link}}',
    button: 'Auszahlungsdaten prüfen',
  },
  managerFooter:
    'Sie erhalten diese E-Mail, weil Sie {{program}} verwalten.\nE-Mails dieser Art abbestellen: {{unsubscribe}}\nIm Dashboard lassen sie sich unter „Mails“ wieder einschalten.',
  scheduledRun: {
    prepared: (sum) => `wartet auf eine Person: ${sum}`,
    sent: (sum) => `wurde gesendet: ${sum}`,
    skipped: () => 'wurde nicht erstellt',
    failed: () => 'ist fehlgeschlagen',
  },
  waiting: {
    applications: (count) => `Bewerbungen, die auf eine Entscheidung warten: ${count}`,
    held: (count) => `Zurückgehaltene Provisionen: ${count}`,
    proposals: (count) => `Vorschläge, die auf Bestätigung warten: ${count}`,
    payouts: (count) => `Auszahlungen, die bezahlt werden können: ${count}`,
    webhooks: (count) => `Fehlschlagende Webhook-Endpunkte: ${count}`,
    feeds: (count) => `Feeds, die Anfragen ablehnen: ${count}`,
  },
  termsRequired: (date) =>
    `Stimmen Sie ihnen bis ${date} zu. Danach werden neue Provisionen zurückgehalten, bis Sie zugestimmt haben.`,
  rewardBefore: (lines) => `Bis dahin:\n${lines}`,
}
