import type { InvoiceTexts } from '../en/invoice.ts'

export const invoice: InvoiceTexts = {
  kinds: { invoice: 'Fatura', credit_note: 'Nota de crédito' },
  title: (kind, number) => `${kind} ${number}`,
  supplier: 'Prestador',
  buyer: 'Cliente',
  number: 'Número',
  issuedOn: 'Data de emissão',
  month: 'Mês do serviço',
  vatId: (id) => `N.º de IVA: ${id}`,
  taxId: (id) => `Número fiscal: ${id}`,
  corrects: (number, day) => `Corrige ${number} de ${day}`,
  cancels: (number, day) => `Anula ${number} de ${day}`,
  reason: 'Motivo',
  details: (statement, month) => `Os detalhes estão no extrato ${statement}: ${month}.`,
  net: 'Valor líquido',
  vat: (percent) => `IVA ${percent}`,
  total: 'Total',
  isIncluded: 'Os valores das linhas incluem o IVA.',
  page: (title, page) => `${title}, página ${page}`,
  sandbox: 'Este é um documento de um ambiente de testes. Não é válido: nada foi prestado nem é devido.',
  sandboxPage: (page) => `${page}, ambiente de testes, não válido`,
}
