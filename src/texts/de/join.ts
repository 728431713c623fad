import type { JoinTexts } from '../en/join.ts'

export const join: JoinTexts = {
  languages: 'Sprachen',
  title: (program) => `Partner von ${program} werden`,
  closed: 'Das Programm nimmt im Moment keine Bewerbungen an.',
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'An dieser Adresse ist nichts. Prüfen Sie den Link, oder bitten Sie das Programm um einen neuen.',
  },
  email: 'E-Mail-Adresse',
  firstName: 'Vorname',
  lastName: 'Nachname',
  optional: (label) => `${label} (freiwillig)`,
  leaveEmpty: 'Dieses Feld leer lassen',
  terms: 'Teilnahmebedingungen',
  acceptTerms: 'Ich stimme den Teilnahmebedingungen zu',
  apply: 'Bewerben',
  problems: {
    blank: (label) => `${label}: Bitte füllen Sie dieses Feld aus.`,
    url: (label) => `${label}: Die Adresse muss mit http:// oder https:// beginnen.`,
    tooLong: (label, most) => `${label}: Der Text ist zu lang (höchstens ${most} Zeichen).`,
    number: (label) => `${label}: Geben Sie eine Zahl wie 12.5 ein.`,
    date: (label) => `${label}: Geben Sie ein Datum wie 2026-01-31 ein.`,
    campaign: 'Diese Kampagne nimmt im Moment keine Bewerbungen an.',
    wrong: (label) => `${label}: Bitte prüfen Sie diese Angabe.`,
    terms: 'Bitte stimmen Sie den Teilnahmebedingungen zu.',
  },
  sent: {
    title: (program) => `Bewerbung bei ${program}`,
    heading: 'Sehen Sie in Ihr Postfach',
    text: (program) =>
      `Wir haben Ihnen eine E-Mail mit einem Link gesendet. Öffnen Sie ihn, um Ihre Bewerbung bei ${program} zu bestätigen.`,
  },
  confirm: {
    title: 'E-Mail-Adresse bestätigen',
    text: 'Bestätigen Sie Ihre Bewerbung mit dieser Schaltfläche.',
    button: 'Bestätigen',
    applied: 'Vielen Dank. Ihre E-Mail-Adresse ist bestätigt. Die Entscheidung erhalten Sie per E-Mail.',
    approved: 'Willkommen! Sie sind jetzt Partner. Wir haben Ihnen eine E-Mail mit Ihrem Link gesendet.',
    rejected: 'Ihre E-Mail-Adresse ist bestätigt. Ihre Bewerbung wurde nicht angenommen: siehe E-Mail.',
    expired: 'Diese Bewerbung ist abgelaufen. Bewerben Sie sich neu.',
    invalid: 'Dieser Link ist ungültig oder abgelaufen. Bewerben Sie sich noch einmal, um einen neuen zu erhalten.',
    failed: 'Der Dienst hat nicht geantwortet. Versuchen Sie es noch einmal.',
    noscript: 'Diese Seite benötigt JavaScript.',
  },
}
