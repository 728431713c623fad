import type { MailTexts } from '../en/mails.ts'

export const mails: MailTexts = {
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
    work_waiting: {
      subject: '{{program}}で対応待ちの項目があります',
      text: '{{name}} 様\n\n{{program}}で次の項目が対応を待っています。\n\n{{list}}\n\n{{link}}',
      button: 'ダッシュボードを開く',
    },
    deliveries_failing: {
      subject: '{{program}}のWebhookまたはフィードが失敗しています',
      text: '{{name}} 様\n\n{{program}}の次のWebhookまたはフィードが失敗しています。\n\n{{list}}\n\n応答の内容はダッシュボードでご確認いただけます。Webhookは3日間再送されます。その間失敗し続けた送信先は無効になります。\n\n{{link}}',
      button: '失敗の内容を見る',
    },
    payout_runs_made: {
      subject: '{{program}}の{{day}}の支払い処理',
      text: '{{name}} 様\n\n{{program}}で{{day}}に予定されていた支払い処理です。\n\n{{list}}\n\n{{link}}',
      button: '支払い処理を開く',
    },
    monthly_statement: {
      subject: '{{program}}：{{month}}の明細',
      text: '{{name}} 様\n\n{{program}}での{{month}}の実績です。\n\n{{month}}の報酬：{{earned}}\n{{month}}のお支払い：{{paid}}\n現在のお支払い予定額：{{due}}\n\n{{link}}',
      button: 'ポータルを開く',
    },
    month_closed: {
      subject: '{{program}}：{{month}}の明細（PDF）',
      text: '{{name}} 様\n\n{{program}}の{{month}}が締められました。明細を添付します。\n\n月末のお支払い予定額：{{owed}}\n\n誰でも検証できるファイルはポータルにあります。\n\n{{link}}',
      button: '明細を開く',
    },
    terms_changed: {
      subject: '{{program}}の規約が新しくなります',
      text: '{{name}} 様\n\nアフィリエイトプログラム「{{program}}」の規約が新しくなります。適用開始日は{{from}}です。\n\n{{required}}\n\nこの日以降、ポータルで規約を読んで同意していただけます。\n\n{{link}}',
      button: 'ポータルを開く',
    },
    reward_changed: {
      subject: '{{program}}の報酬の条件の変更について',
      text: '{{name}} 様\n\n{{change}}\n\n変更後の条件は次のとおりです。\n\n{{reward}}\n\n{{before}}\n\nそれより前の売上の報酬は変わりません。\n\n{{link}}',
      button: '報酬の条件を見る',
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
      text: '{{name}} 様\n\n{{amount}}をお支払いしました。\n\n{{payment}}\n\n{{link}}',
      button: 'お支払いを見る',
    },
    payout_failed: {
      subject: '{{program}}からのお支払いが完了しませんでした',
      text: '{{name}} 様\n\n{{amount}}のお支払いが失敗したか、返金されました。ポータルでお支払い先をご確認ください。報酬は次回のお支払いに含まれます。\n\n{{payment}}\n\n{{link}}',
      button: 'お支払い先を確認する',
    },
    payout_unclaimed: {
      subject: '{{program}}からの{{amount}}をお受け取りください',
      text: '{{name}} 様\n\n{{amount}}のお支払いが{{service}}でまだ受け取られていません。送金先のメールアドレスで{{service}}にログインするか、そのアドレスでアカウントを開設して、お受け取りください。\n\n{{payment}}\n\n受け取られないお支払いは返金され（PayPalでは30日後）、後日のお支払いに含まれます。\n\n{{link}}',
      button: 'お支払いを見る',
    },
    payout_address_dead: {
      subject: '{{program}}のお支払い先を変更してください',
      text: '{{name}} 様\n\n{{address}}へのお支払いが3回失敗しました（直近は{{amount}}）。このお支払い先への送金を停止しました。ポータルで別のお支払い先をご登録ください。次回のお支払いはそちらに送金します。\n\n{{payment}}\n\n{{link}}',
      button: 'お支払い先を変更する',
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
    paypalEmail: 'PayPalのアドレス',
    wiseEmail: 'Wiseのアドレス',
    stripeAccount: 'Stripeのアカウント',
    iban: '銀行口座',
    bic: '銀行のBIC',
  },
  paymentService: '決済サービス',
  payoutsWait: (until) => `お支払いは${until}まで保留されます。`,
  payoutChangeRejected: {
    subject: '{{program}}のお支払い先が元に戻されました',
    text: '{{name}} 様\n\nアフィリエイトプログラム「{{program}}」のお支払い先の変更が、メールのリンクから取り消され、以前のお支払い先に戻りました。変わった項目：{{what}}\n\n{{wait}}\n\nお支払い先が正しいか、ポータルでご確認ください。\n\n{{link}}',
    button: 'お支払い先を確認する',
  },
  managerFooter:
    'このメールは、{{program}}の管理者の方にお送りしています。\nこの種類のメールの配信停止：{{unsubscribe}}\nダッシュボードの「Mails」で再開できます。',
  scheduledRun: {
    prepared: (sum) => `担当者の対応待ちです: ${sum}`,
    sent: (sum) => `送信しました: ${sum}`,
    skipped: () => '作成されませんでした',
    failed: () => '失敗しました',
  },
  waiting: {
    applications: (count) => `審査待ちの申し込み：${count}`,
    held: (count) => `保留中の報酬：${count}`,
    proposals: (count) => `確認待ちの提案：${count}`,
    payouts: (count) => `支払い可能なお支払い：${count}`,
    webhooks: (count) => `失敗しているWebhookの送信先：${count}`,
    feeds: (count) => `リクエストを拒否しているフィード：${count}`,
  },
  termsRequired: (date) => `${date}までに同意してください。それ以降は、同意いただくまで新しい報酬が保留されます。`,
  rewardBefore: (lines) => `変更前の条件：\n${lines}`,
}
