import type { InvoiceTexts } from '../en/invoice.ts'

export const invoice: InvoiceTexts = {
  kinds: { invoice: '請求書', credit_note: '返還請求書' },
  title: (kind, number) => `${kind} ${number}`,
  supplier: '提供者',
  buyer: '受領者',
  number: '番号',
  issuedOn: '発行日',
  month: '提供月',
  vatId: (id) => `VAT番号：${id}`,
  taxId: (id) => `納税者番号：${id}`,
  corrects: (number, day) => `${day}付${number}の訂正`,
  cancels: (number, day) => `${day}付${number}の取消`,
  reason: '理由',
  details: (statement, month) => `明細は${month}の明細書${statement}にあります。`,
  net: '税抜金額',
  vat: (percent) => `VAT ${percent}`,
  total: '合計',
  isIncluded: '各行の金額はVATを含みます。',
  page: (title, page) => `${title}、${page}ページ`,
  sandbox: 'これはテスト環境の書類です。無効であり、何も提供されておらず、支払義務もありません。',
  sandboxPage: (page) => `${page}、テスト環境、無効`,
}
