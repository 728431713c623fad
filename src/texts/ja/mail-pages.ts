import type { MailPageTexts } from '../en/mail-pages.ts'

export const mailPages: MailPageTexts = {
  title: 'メール',
  invalid: 'このリンクは使えなくなりました',
  incomplete: 'メールに記載されたリンク全体を開いてください。',
  moving: 'まだ完了していません',
  movingText: 'プログラムは別のサーバーへ移行中です。1時間後にもう一度お試しください。',
  stop: {
    question: (what) => `${what}の受信を停止しますか？`,
    button: '受信を停止する',
    done: (what) => `${what}の受信を停止しました`,
    again: 'ポータルで再開できます。',
    againForManagers: 'ダッシュボードで再開できます。',
    what: {
      commissions: '新しい報酬のお知らせメール',
      payouts: 'お支払いのお知らせメール',
      statements: '毎月の明細',
      terms: '新しい規約のお知らせ',
      messages: 'プログラムからのお知らせ',
      daily: '対応待ちの項目のお知らせ',
      failures: 'Webhookとフィードの失敗のお知らせ',
    },
  },
  reject: {
    question: '新しいお支払い先を取り消しますか？',
    text: '7日以上使われていた以前のお支払い先に戻ります。お支払いはあらためて保留されます。',
    button: '取り消す',
    done: '以前のお支払い先に戻しました',
    doneText: '第三者があなたのアカウントにアクセスしたことを、プログラムにお知らせください。',
    invalidText: '最新のメールのリンクを開くか、お支払い先の変更をプログラムにご依頼ください。',
  },
  preferences: {
    title: 'メールの設定',
    saved: '保存しました。',
    save: '保存',
    commissions: '新しい報酬のお知らせ',
    cadences: { at_once: 'すぐに', daily: '1日1回', weekly: '週1回', never: '受け取らない' },
    payouts: 'お支払いの完了または失敗のお知らせ',
    statements: '毎月の明細',
    terms: '新しい規約のお知らせ',
    messages: 'プログラムからのお知らせ',
  },
}
