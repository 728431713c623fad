import type { MailTexts } from './written.ts'

export const ja: MailTexts = {
  mails: {
    application_confirm: {
      subject: '{{program}}：メールアドレスをご確認ください',
      text: 'アフィリエイトプログラム「{{program}}」に、このメールアドレスで申し込みがありました。次のリンクを開き、ページのボタンを押して確認してください。\n\n{{link}}\n\nリンクの有効期限は2日間です。お心当たりがない場合は、このメールを無視してください。何も行われません。',
      button: 'メールアドレスを確認する',
    },
    application_received: {
      subject: '{{program}}へのお申し込みについて',
      text: '{{name}} 様\n\nアフィリエイトプログラム「{{program}}」へのお申し込みを受け付けました。担当者が確認し、結果をメールでお知らせします。',
      button: '',
    },
    application_approved: {
      subject: '{{program}}へようこそ',
      text: '{{name}} 様\n\n「{{program}}」のアフィリエイトとして登録されました。あなたのリンクは次のとおりです。このリンクからの訪問者とその購入は、あなたの成果として記録されます。\n\n{{affiliate_url}}\n\nクリック数、報酬、お支払いはポータルで確認できます。\n\n{{link}}',
      button: 'ポータルを開く',
    },
    application_rejected: {
      subject: '{{program}}へのお申し込みについて',
      text: '{{name}} 様\n\nアフィリエイトプログラム「{{program}}」にお申し込みいただき、ありがとうございました。誠に残念ながら、今回は承認に至りませんでした。\n\n{{reason}}',
      button: '',
    },
    applications_waiting: {
      subject: '{{program}}への申し込みが承認待ちです',
      text: '{{name}} 様\n\n承認待ちの申し込み：{{count}}件\n\n{{link}}\n\nこのメールは{{program}}の管理者にお送りしています。新しい申し込みがあるときに、1日1回送信されます。ダッシュボードの「Applications」→「How people apply」で停止できます。',
      button: '審査する',
    },
    invitation: {
      subject: '{{program}}のアフィリエイトプログラムへのご招待',
      text: '{{program}}のアフィリエイトプログラムにご招待します。報酬については次のページをご覧ください。\n\n{{link}}\n\nご興味がない場合は、このメールを無視してください。何も行われません。',
      button: '内容を見る',
    },
    commissions_earned: {
      subject: '{{program}}で{{amount}}の報酬が発生しました',
      text: '{{name}} 様\n\n新しい報酬：{{count}}件\n合計：{{amount}}\n\n{{link}}',
      button: '報酬を見る',
    },
    payout_sent: {
      subject: '{{program}}から{{amount}}をお支払いしました',
      text: '{{name}} 様\n\n{{amount}}をお支払いしました。\n\n{{link}}',
      button: 'お支払いを見る',
    },
    payout_failed: {
      subject: '{{program}}からのお支払いが完了しませんでした',
      text: '{{name}} 様\n\n{{amount}}のお支払いが失敗したか、返金されました。ポータルでお支払い先をご確認ください。報酬は次回のお支払いに含まれます。\n\n{{link}}',
      button: 'お支払い先を確認する',
    },
    payout_address_change: {
      subject: '{{program}}のお支払い先が変更されました',
      text: '{{name}} 様\n\nアフィリエイトプログラム「{{program}}」のアカウントで、次の項目が変更されました：{{what}}\n\n{{wait}}\n\nご自身で変更された場合は、何もする必要はありません。お心当たりがない場合は、7日以内に次のリンクを開き、ボタンを押してください。以前のお支払い先に戻ります。\n\n{{link}}',
      button: '変更を取り消す',
    },
    sign_in: {
      subject: '{{program}}へのログイン',
      text: '次のリンクを開くと、{{program}}のアフィリエイトポータルにログインできます。\n\n{{link}}\n\nリンクは15分以内に1回だけ使えます。お心当たりがない場合は、このメールを無視してください。',
      button: 'ログインする',
    },
  },
  footer:
    'このメールは、{{program}}のアフィリエイトの方にお送りしています。\nこの種類のメールを停止する：{{unsubscribe}}\n受け取るメールを選ぶ：{{preferences}}',
  payoutFields: {
    preferredPayoutMethod: 'お支払い方法',
    walletAEmail: 'PayPalのアドレス',
    walletBEmail: 'Wiseのアドレス',
    iban: '銀行口座',
    bic: '銀行のBIC',
  },
  payoutsWait: (until) => `お支払いは${until}まで保留されます。`,
}
