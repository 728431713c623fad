import type { InvoiceTexts } from '../en/invoice.ts'

export const invoice: InvoiceTexts = {
  kinds: { invoice: 'Factura', credit_note: 'Factura rectificativa' },
  title: (kind, number) => `${kind} ${number}`,
  supplier: 'Prestador',
  buyer: 'Cliente',
  number: 'Número',
  issuedOn: 'Fecha de expedición',
  month: 'Mes del servicio',
  vatId: (id) => `NIF-IVA: ${id}`,
  taxId: (id) => `Número fiscal: ${id}`,
  corrects: (number, day) => `Rectifica ${number} del ${day}`,
  cancels: (number, day) => `Anula ${number} del ${day}`,
  reason: 'Motivo',
  details: (statement, month) => `El detalle está en el extracto ${statement}: ${month}.`,
  net: 'Base imponible',
  vat: (percent) => `IVA ${percent}`,
  total: 'Total',
  isIncluded: 'Los importes de las líneas incluyen el IVA.',
  page: (title, page) => `${title}, página ${page}`,
  sandbox: 'Este es un documento de un entorno de pruebas. No es válido: nada se prestó ni se debe.',
  sandboxPage: (page) => `${page}, entorno de pruebas, no válido`,
}
