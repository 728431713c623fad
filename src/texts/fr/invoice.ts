import type { InvoiceTexts } from '../en/invoice.ts'

export const invoice: InvoiceTexts = {
  kinds: { invoice: 'Facture', credit_note: 'Avoir' },
  title: (kind, number) => `${kind} ${number}`,
  supplier: 'Prestataire',
  buyer: 'Client',
  number: 'Numéro',
  issuedOn: 'Date d’émission',
  month: 'Mois de la prestation',
  vatId: (id) => `N° TVA : ${id}`,
  taxId: (id) => `N° fiscal : ${id}`,
  corrects: (number, day) => `Rectifie ${number} du ${day}`,
  cancels: (number, day) => `Annule ${number} du ${day}`,
  reason: 'Motif',
  details: (statement, month) => `Le détail figure dans le relevé ${statement} : ${month}.`,
  net: 'Montant HT',
  vat: (percent) => `TVA ${percent}`,
  total: 'Total',
  isIncluded: 'Les montants des lignes comprennent la TVA.',
  page: (title, page) => `${title}, page ${page}`,
  sandbox: 'Ceci est un document d’un environnement de test. Il n’est pas valable : rien n’a été fourni ni n’est dû.',
  sandboxPage: (page) => `${page}, environnement de test, non valable`,
}
