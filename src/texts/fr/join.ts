import type { JoinTexts } from '../en/join.ts'

export const join: JoinTexts = {
  languages: 'Langues',
  title: (program) => `Devenir affilié de ${program}`,
  closed: "Le programme n'accepte pas de candidatures pour le moment.",
  notFound: {
    title: 'Page introuvable',
    text: 'Il n’y a rien à cette adresse. Vérifiez le lien ou demandez-en un nouveau au programme.',
  },
  email: 'Adresse e-mail',
  firstName: 'Prénom',
  lastName: 'Nom',
  optional: (label) => `${label} (facultatif)`,
  leaveEmpty: 'Laissez ce champ vide',
  terms: 'Conditions',
  acceptTerms: "J'accepte les conditions",
  apply: 'Envoyer la candidature',
  problems: {
    blank: (label) => `${label} : ce champ est obligatoire.`,
    url: (label) => `${label} : l'adresse doit commencer par http:// ou https://.`,
    tooLong: (label, most) => `${label} : le texte est trop long (${most} caractères au plus).`,
    number: (label) => `${label} : saisissez un nombre tel que 12.5.`,
    date: (label) => `${label} : saisissez une date telle que 2026-01-31.`,
    campaign: 'Cette campagne n’accepte pas de candidatures pour le moment.',
    wrong: (label) => `${label} : vérifiez cette information.`,
    terms: 'Acceptez les conditions pour envoyer votre candidature.',
  },
  sent: {
    title: (program) => `Candidature à ${program}`,
    heading: 'Consultez votre boîte de réception',
    text: (program) =>
      `Nous vous avons envoyé un e-mail avec un lien. Ouvrez-le pour confirmer votre candidature à ${program}.`,
  },
  confirm: {
    title: 'Confirmez votre adresse e-mail',
    text: 'Appuyez sur le bouton pour confirmer votre candidature.',
    button: 'Confirmer',
    applied: 'Merci. Votre adresse e-mail est confirmée. Vous recevrez la décision par e-mail.',
    approved: 'Bienvenue ! Vous êtes maintenant affilié. Nous vous avons envoyé un e-mail avec votre lien.',
    rejected: "Votre adresse e-mail est confirmée. Votre candidature n'a pas été acceptée : voyez l'e-mail.",
    expired: 'Cette candidature a expiré. Envoyez-en une nouvelle.',
    invalid: "Ce lien n'est pas valable ou a expiré. Envoyez une nouvelle candidature pour en recevoir un autre.",
    failed: "Le service n'a pas répondu. Réessayez.",
    noscript: 'Cette page a besoin de JavaScript.',
  },
}
