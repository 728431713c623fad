import type { JoinTexts } from '../en/join.ts'

export const join: JoinTexts = {
  languages: '言語',
  title: (program) => `${program}のアフィリエイトに申し込む`,
  closed: '現在、このプログラムでは申し込みを受け付けていません。',
  notFound: {
    title: 'ページが見つかりません',
    text: 'このアドレスには何もありません。リンクを確認するか、プログラムに新しいリンクを依頼してください。',
  },
  email: 'メールアドレス',
  firstName: '名',
  lastName: '姓',
  optional: (label) => `${label}（任意）`,
  leaveEmpty: 'この項目は空欄のままにしてください',
  terms: '規約',
  acceptTerms: '規約に同意します',
  apply: '申し込む',
  problems: {
    blank: (label) => `${label}：入力してください。`,
    url: (label) => `${label}：http:// または https:// で始まるアドレスを入力してください。`,
    tooLong: (label, most) => `${label}：長すぎます（${most}文字以内）。`,
    number: (label) => `${label}：12.5のような数値を入力してください。`,
    date: (label) => `${label}：2026-01-31のような日付を入力してください。`,
    campaign: 'このキャンペーンは現在お申し込みを受け付けていません。',
    wrong: (label) => `${label}：入力内容をご確認ください。`,
    terms: 'お申し込みには、規約への同意が必要です。',
  },
  sent: {
    title: (program) => `${program}への申し込み`,
    heading: 'メールをご確認ください',
    text: (program) =>
      `リンクを記載したメールをお送りしました。リンクを開いて、${program}への申し込みを確認してください。`,
  },
  confirm: {
    title: 'メールアドレスの確認',
    text: 'ボタンを押して、申し込みを確認してください。',
    button: '確認する',
    applied: 'ありがとうございます。メールアドレスを確認しました。結果はメールでお知らせします。',
    approved: 'ようこそ！アフィリエイトとして登録されました。あなたのリンクをメールでお送りしました。',
    rejected: 'メールアドレスを確認しました。申し込みは承認されませんでした。詳しくはメールをご覧ください。',
    expired: 'この申し込みは終了しました。もう一度お申し込みください。',
    invalid: 'このリンクは無効か、有効期限が切れています。もう一度お申し込みください。',
    failed: 'サービスが応答しませんでした。もう一度お試しください。',
    noscript: 'このページを使うには JavaScript が必要です。',
  },
}
