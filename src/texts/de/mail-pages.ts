import type { MailPageTexts } from '../en/mail-pages.ts'

export const mailPages: MailPageTexts = {
  title: 'E-Mails',
  invalid: 'Dieser Link gilt nicht mehr',
  incomplete: 'Öffnen Sie den vollständigen Link aus der E-Mail.',
  moving: 'Das hat noch nicht geklappt',
  movingText: 'Das Programm zieht gerade auf einen anderen Server um. Versuchen Sie es in einer Stunde noch einmal.',
  stop: {
    question: (what) => `${what} abbestellen?`,
    button: 'Diese E-Mails abbestellen',
    done: (what) => `Abbestellt: ${what}`,
    again: 'Im Portal können Sie sie wieder einschalten.',
    againForManagers: 'Im Dashboard können Sie sie wieder einschalten.',
    what: {
      commissions: 'E-Mails über neue Provisionen',
      payouts: 'E-Mails über Auszahlungen',
      statements: 'Monatsabrechnungen',
      terms: 'E-Mails über neue Teilnahmebedingungen',
      rewards: 'E-Mails über Änderungen Ihrer Vergütung',
      messages: 'Nachrichten des Programms',
      daily: 'E-Mails über das, was auf Sie wartet',
      failures: 'E-Mails über fehlschlagende Webhooks und Feeds',
    },
  },
  reject: {
    question: 'Die neuen Auszahlungsdaten ablehnen?',
    text: 'Dann gelten wieder Ihre früheren Auszahlungsdaten, wenn sie mindestens sieben Tage alt sind. Auszahlungen warten von Neuem.',
    button: 'Ablehnen',
    done: 'Ihre bisherigen Auszahlungsdaten gelten wieder',
    doneText: 'Teilen Sie dem Programm mit, dass jemand anderes Zugang zu Ihrem Konto hatte.',
    invalidText:
      'Öffnen Sie den Link der neuesten E-Mail, oder bitten Sie das Programm, Ihre Auszahlungsdaten zu ändern.',
  },
  preferences: {
    title: 'Ihre E-Mails',
    saved: 'Gespeichert.',
    save: 'Speichern',
    commissions: 'Neue Provisionen',
    cadences: { at_once: 'sofort', daily: 'einmal am Tag', weekly: 'einmal in der Woche', never: 'nie' },
    payouts: 'Auszahlungen, die überwiesen wurden oder fehlgeschlagen sind',
    statements: 'Eine Abrechnung für jeden Monat',
    terms: 'Neue Teilnahmebedingungen',
    rewards: 'Änderungen Ihrer Vergütung',
    messages: 'Nachrichten des Programms',
  },
}
