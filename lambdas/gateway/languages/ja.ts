import type { Translation } from './language.rules.ts';

const AGAIN = 'もう一度お試しください。';

/** Japanese. */
export const ja: Translation = {
  common: {
    backToApp: 'アプリに戻る',
    leaveItSo: 'このままにする',
    tryAgain: 'もう一度試す',
    askAgain: 'もう一度選択する',
    selectFiles: 'ファイルを選択',
    canClose: 'このページは閉じてかまいません。',
    requestNumber: 'リクエスト {id}',
    continueWithGoogle: 'Google で続行',
    continueWith: '{provider} で続行',
    connectService: '{service} を接続',
    asksFor: '求められている権限:',
    asksForAccess: '{app} が {provider} アカウントへのアクセスを求めています。',
    asksForAccessUnnamed: 'このページを開いたアプリが {provider} アカウントへのアクセスを求めています。',
    asksForAccessAny: '{app} がアカウントへのアクセスを求めています。',
    asksForAccessAnyUnnamed: 'このページを開いたアプリがアカウントへのアクセスを求めています。',
    usedFor: '許可した内容は、{app} で {who} のために使用されます。',
    usedForUnnamed: '許可した内容は、このページを開いたアプリで {who} のために使用されます。',
    whoOfOrganization: '{who}（{organization}）',
    userWithId: 'ユーザー {id}',
    notYou:
      'ご本人でない場合や、お心当たりがない場合は、このページを閉じてください。続行すると、他の人があなたのアカウントにアクセスできるようになります。',
    notAsked:
      'お心当たりがない場合は、このページを閉じてください。続行すると、他の人があなたのアカウントにアクセスできるようになります。',
    connected: '接続しました',
    connectedPartly: '一部の権限を除いて接続しました',
    oneStepLeft: 'アプリであと 1 ステップ必要です',
    fileSelected: { one: 'ファイルを選択しました', other: 'ファイルを選択しました' },
    nothingConnected: '何も接続されていません',
    cannot: '許可されなかった権限があるため、アプリは次のことができません:',
  },
  session: {
    title: 'アカウントを接続',
    loading: '読み込んでいます…',
    needsScript:
      'このページで接続リンクを読み取るには JavaScript が必要です。有効にしてから、リンクをもう一度開いてください。',
    cookiesBlocked:
      'お使いのブラウザでは、このページの Cookie が保存されないため、{provider} から戻ってくることができません。このページの Cookie を許可するか、別のブラウザでリンクを開いてください。',
    unreachable: 'ゲートウェイに接続できません。インターネット接続を確認してから、もう一度お試しください。',
    answered: 'ゲートウェイが {status} を返しました。しばらくしてからもう一度お試しください。',
    incomplete: 'このリンクは不完全です',
    incompleteAdvice: 'アプリに戻ってリンクをもう一度開くか、新しいリンクを取得してください。',
    over: 'このリンクは使用できません',
    expired: 'このリンクの有効期限が切れました',
    expiredAdvice: 'アプリに戻って、新しいリンクを取得してください。',
    notLoaded: 'このページを読み込めませんでした',
    sending: '{provider} に移動しています…',
    choose: '接続するものを選択',
    chooseAgain: '再接続するものを選択',
    connectServiceAgain: '{service} を再接続',
    selectFilesIn: '{service} のファイルを選択',
    asksForFiles:
      '{app} がファイルの選択を求めています。アプリが扱えるのは選択したファイルだけで、他のファイルは扱えません。',
    asksForFilesUnnamed:
      'このページを開いたアプリがファイルの選択を求めています。アプリが扱えるのは選択したファイルだけで、他のファイルは扱えません。',
    notYouFiles:
      'ご本人でない場合や、お心当たりがない場合は、このページを閉じてください。続行すると、他の人があなたのファイルにアクセスできるようになります。',
    notAskedFiles:
      'お心当たりがない場合は、このページを閉じてください。続行すると、他の人があなたのファイルにアクセスできるようになります。',
    useAccount: 'アカウント {account} を使用してください。',
    alsoAsksFor: '新たに求められている権限:',
    mayAlready: 'すでに許可されている権限:',
    alreadyStarted:
      'このページまたは別のタブで、すでに手続きを始めています。そちらで完了するか、ここでやり直してください。',
    noFileSelected: 'ファイルは選択されず、何も変更されていません。',
    nothingSetUp:
      'このアプリには、まだ接続できるものが用意されていません。アプリの開発者が連携を追加する必要があります。',
    notOffered:
      '現在 {provider} がこのアプリを受け付けていないため、接続できません。アプリの開発者が {provider} 側の設定を修正する必要があります。それまでは、もう一度試しても接続できません。',
    googleAsksForFiles: 'Google で許可を確認した後、ファイルの一覧が表示されます。',
    googleAsks: 'Google の画面でもう一度これらの権限が表示され、一部を除外することもできます。',
    providerAsks: 'アプリがアクセスできるようになる前に、{provider} の画面で許可を確認します。',
    backWithoutFiles: 'ファイルを選択せずに戻る',
    backWithoutConnecting: '接続せずに戻る',
    filesReady: {
      one: '選択したファイルをアプリで扱えるようになりました。',
      other: '選択した {count} 個のファイルをアプリで扱えるようになりました。',
    },
    filesLost: {
      one: 'ファイルを選択しましたが、アプリで開けませんでした。',
      other: '{count} 個のファイルを選択しましたが、アプリで開けませんでした。',
    },
    filesPartlyLost: {
      one: '{count} 個のファイルを選択しましたが、そのうち {lost} 個はアプリで開けませんでした。',
      other: '{count} 個のファイルを選択しましたが、そのうち {lost} 個はアプリで開けませんでした。',
    },
    accountConnected: 'アカウントを接続しました。',
    accountReady: 'アカウントの準備ができました。アプリに戻ると接続が完了します。',
    timedOut:
      '10 分以内に Google からの応答がありませんでした。エラーが表示された場合は下の説明をご覧ください。それ以外の場合は、もう一度お試しください。',
    timedOutElsewhere: '10 分以内に応答がありませんでした。もう一度お試しください。',
    notConfirmed:
      'アプリが時間内にアカウントの接続を完了しなかったため、アクセスは許可されませんでした。新しいリンクを取得してください。',
  },
  admin: {
    title: '組織で {app} を許可する',
    titleUnnamed: '組織でアプリを許可する',
    forOrganization: 'このリンクは {organization} 宛てです。',
    who: 'この操作ができるのは Google Workspace の特権管理者だけです。該当しない場合は、このリンクを特権管理者に転送してください。有効期限は {until} です。',
    means: '登録すると、アプリはドメインのすべてのユーザーについて、本人に確認せずに次のことができるようになります:',
    notAsked: '心当たりがない場合は、何も登録せずにこのページを閉じてください。',
    list: '1. Google でアプリを登録する',
    listAdvice:
      'Google のフォームは両方の欄が入力された状態で開きます。以下の内容と照らし合わせて承認してください。すでに登録されているものは変更しないでください。複数の管理者の承認が必要な場合は、もう 1 人の管理者が確認します。',
    openForm: 'Google のフォームを開く',
    clientId: 'クライアント ID',
    scopes: 'OAuth スコープ',
    copyClientId: 'クライアント ID をコピー',
    copyScopes: 'スコープをコピー',
    copied: 'コピーしました',
    check: '2. 確認する',
    address: 'ドメインのいずれかのユーザーのメールアドレス',
    checkNow: '確認',
    checking: 'Google に問い合わせています…',
    works: '使えるようになりました',
    worksFor: 'アプリは {domain} のユーザーに代わって操作できます。',
    listed: '登録済み',
    notListed: '未登録',
    notKnown: '不明',
    causes: {
      delegation_pending:
        'まだ Google に反映されていません。登録したばかりの場合はお待ちください。数分、最長で 24 時間かかります。その後、もう一度確認してください。',
      delegation_incomplete:
        '不足しているものがあります。フォームをもう一度開き、登録されていないスコープを追加してください。',
      account_restricted:
        'このユーザーは Google または管理者の設定で制限されています。別のアドレスで試すか、制限を解除してください。',
      admin_restricted:
        'ドメインの API の制御でアプリがブロックされています。そこでクライアント ID を信頼できるものとして設定してください（セキュリティ、API の制御、アプリのアクセス制御）。',
      account_unavailable: 'このユーザーは停止または削除されています。別のアドレスで試してください。',
      subject_unknown:
        'このアドレスのユーザーは Google に存在しません。エイリアスやグループではなく、メインのアドレスを入力してください。',
      subject_not_allowed:
        'このアドレスのユーザーはアプリの対象ではありません。つづりを確かめるか、アプリの開発者にドメインを伝えてください。',
      taken: 'このドメインはこのリンクでは確認できません。リンクを送ったアプリにお問い合わせください。',
      app_fault: 'アプリの Google での設定が正しくありません。開発者による修正が必要です。登録し直しても解決しません。',
      too_many: '確認の回数が多すぎます。1 分ほどお待ちください。',
      not_asked: 'Google に問い合わせできませんでした。1 分ほどしてからもう一度お試しください。',
    },
  },
  frame: {
    openInTab: '新しいタブで開く',
    blocked: 'ブラウザがウィンドウをブロックしました',
    blockedAdvice: '接続ページをご自身で開いてください:',
    cancel: 'キャンセル',
    close: '閉じる',
    done: '完了',
    showWindow: 'ウィンドウを表示',
    otherWindow: '別のウィンドウで続けてください',
    otherWindowAdvice: 'そちらで完了すると、このページも先に進みます。',
    ownWindow: '同意画面は別のウィンドウで開きます。',
    oneStepLeft: 'あと 1 ステップです',
    accountReady: 'アカウントの準備ができました。アプリが接続しています。',
    accountConnected: 'アカウントを接続しました。',
    sessionExpired: '接続リンクの有効期限が切れました。',
    startAgain: 'これを閉じて、最初からやり直してください。',
    windowClosed: '完了する前にウィンドウが閉じられました。',
  },
  googleErrors: {
    question: 'Google でエラーが表示されましたか?',
    answer: 'その場合、Google からこのページには戻りません。エラーの意味は次のとおりです:',
    notVerified: {
      name: 'access_denied、「Google の審査プロセスを完了していません」',
      meaning:
        'このアプリはまだテスト中です。開発者があなたのアカウントをテストユーザーに追加するか、アプリを公開する必要があります。',
    },
    adminPolicy: {
      name: 'admin_policy_enforced',
      meaning: '組織がこのアプリをブロックしています。Google Workspace の管理者に、アプリの許可を依頼してください。',
    },
    orgInternal: {
      name: 'org_internal',
      meaning: 'このアプリは特定の組織のメンバー専用です。その組織のアカウントを選択してください。',
    },
    blocked: {
      name: '「このアプリはブロックされています」',
      meaning:
        'Google がこのアプリを審査していないか、アカウントが高度な保護機能プログラムの対象であるため、Google はデータへのアクセスを認めていません。開発者がアプリの審査を受ける必要があります。高度な保護機能プログラムのアカウントは接続できません。',
    },
    disabled: {
      name: 'disabled_client',
      meaning:
        'Google がアプリを停止したか、審査が終わるまで新しいユーザーを受け入れていません。開発者が Google と解決する必要があり、もう一度試しても接続できません。',
    },
    misconfigured: {
      name: 'redirect_uri_mismatch, invalid_client, deleted_client, restricted_client, invalid_request',
      meaning:
        'アプリの Google 側の設定が正しくありません。開発者が修正する必要があり、もう一度試しても接続できません。',
    },
    userAgent: {
      name: 'disallowed_useragent',
      meaning:
        'Google はこのアプリ内でのログインを許可していません。Chrome、Safari、Firefox などのブラウザでリンクを開いてください。',
    },
    rateLimit: {
      name: 'rate_limit_exceeded',
      meaning: '同時に接続している人が多すぎます。数分待ってから、もう一度お試しください。',
    },
  },
  result: {
    goOnInApp: 'アプリで続ける',
    serviceConnected: '{service} を接続しました。',
    accountConnected: '{account} の {service} を接続しました。',
    serviceReady: '{service} の準備ができました。アプリに戻ると接続が完了します。',
    accountReady: '{account} の {service} の準備ができました。アプリに戻ると接続が完了します。',
    willNotBeAble: '許可されなかった権限があるため、アプリは次のことができません:',
    filesUsable: {
      one: '選択したファイルをアプリで扱えるようになりました。',
      other: '選択した {count} 個のファイルをアプリで扱えるようになりました。',
    },
    filesUsableOf: {
      one: '{account} のドライブで選択したファイルを、アプリで扱えるようになりました。',
      other: '{account} のドライブで選択した {count} 個のファイルを、アプリで扱えるようになりました。',
    },
    filesChosen: { one: 'ファイルを選択しました。', other: '{count} 個のファイルを選択しました。' },
    filesChosenOf: {
      one: '{account} のドライブでファイルを選択しました。',
      other: '{account} のドライブで {count} 個のファイルを選択しました。',
    },
    noneOpened: {
      one: 'アプリで開けませんでした。該当するファイルはアプリに通知されています。',
      other: 'アプリで開けませんでした。該当するファイルはアプリに通知されています。',
    },
    someNotOpened: 'そのうち {lost} 個はアプリで開けませんでした。該当するファイルはアプリに通知されています。',
    stranded: '何も接続されていません',
    strandedHappened: 'このページからアプリに連絡できないため、許可した内容は使用されず、15 分以内に無効になります。',
    strandedNext:
      'アプリに戻って、最初からやり直してください。繰り返し起こる場合は、アプリの開発者に連絡してください。',
    providerSaid: '{provider} の回答: {words}',
    detail: '詳細: {words}',
    openLinkAgain: 'やり直すには、アプリのリンクをもう一度開いてください。',
  },
  problems: {
    title: 'うまくいきませんでした',
    advice:
      '何も接続されていません。このページを開いたアプリに戻ってください。繰り返し起こる場合は、アプリの開発者に連絡してください。',
    link_not_valid:
      'この接続リンクは無効か、取り消されています。このページを開いたアプリで新しいリンクを取得してください。',
    link_expired: 'この接続リンクの有効期限が切れました。このページを開いたアプリで新しいリンクを取得してください。',
    link_not_confirmed:
      'アプリがこの接続リンクの結果を確認しませんでした。このページを開いたアプリで新しいリンクを取得してください。',
    link_used: 'この接続リンクはすでに使用されています。このページを開いたアプリで新しいリンクを取得してください。',
    link_started_elsewhere:
      'この接続リンクは先に別のブラウザで開かれたため、そのブラウザでしか完了できません。そのブラウザで続けるか、アプリで新しいリンクを取得してください。',
    link_started_too_often:
      'この接続リンクは開始された回数が多すぎます。このページを開いたアプリで新しいリンクを取得してください。',
    link_outdated: 'アプリは、この接続リンクの内容をもう求めていません。アプリで新しいリンクを取得してください。',
    connection_deleted: '接続は削除されました。アプリでアカウントをもう一度接続してください。',
    too_many: '同時に接続している人が多すぎます。1 分待ってから、もう一度お試しください。',
    app_not_ready: 'アプリの設定が完了していません。開発者が修正する必要があり、もう一度試しても接続できません。',
    foreign_page: 'この操作は接続リンクのページからのみ開始できます。アプリのリンクをもう一度開いてください。',
    bad_address: '開いたアドレスが正しくありません。アプリの開発者が修正する必要があります:',
    gateway_failed: 'ゲートウェイでエラーが発生しました。アプリに戻って、もう一度お試しください。',
  },
  failures: {
    malformed_answer: {
      title: '応答を読み取れませんでした',
      happened: '戻ってきたアドレスが不完全か、途中で変更されています。何も接続されていません。',
      next: AGAIN,
    },
    unknown_state: {
      title: 'この手順はすでに終わっています',
      happened:
        'このログインはすでに完了しているか、ここでは開始されていません。もう一度開いても何も変更されていません。',
      next: 'アカウントがまだ接続されていない場合は、もう一度お試しください。',
    },
    other_browser: {
      title: '別のブラウザで開始されました',
      happened:
        'このログインは別のブラウザで開始されたか、このブラウザの Cookie が削除されています。何も接続されていません。',
      next: 'ご自身で開始した場合は、使用するブラウザでアプリのリンクをもう一度開いてください。そうでない場合は、このページを閉じてください。',
    },
    timed_out: {
      title: '時間がかかりすぎました',
      happened: 'ログインは 10 分以内に完了する必要があります。何も接続されていません。',
      next: AGAIN,
    },
    session_ended: {
      title: 'このリンクは無効になりました',
      happened: 'アプリがこのログインのリンクを取り消しました。何も接続されていません。',
      next: 'アプリに戻って、新しいリンクを取得してください。',
    },
    session_used: {
      title: 'このリンクはすでに使用されています',
      happened: 'このリンクでアカウントがすでに接続されています。今回のログインでは何も変更されていません。',
      next: '別のアカウントを接続するには、アプリに戻って新しいリンクを取得してください。',
    },
    other_issuer: {
      title: '別の場所からの応答です',
      happened: '応答が、移動先とは異なるプロバイダのものだったため、使用されませんでした。何も接続されていません。',
      next: AGAIN,
    },
    refused: {
      title: 'アクセスが許可されませんでした',
      happened: '{provider} でアクセスが許可されなかったため、何も接続されていません。',
      next: '意図したものでない場合は、もう一度試して [許可] を選択してください。',
    },
    pick_cancelled: {
      title: 'ファイルが選択されませんでした',
      happened: 'ファイルを選択せずに戻りました。何も変更されていません。',
      next: '意図したものでない場合は、もう一度試して、少なくとも 1 つ選択してください。',
    },
    admin_blocked: {
      title: '組織でこのアプリが許可されていません',
      happened: '組織の管理者が、このアプリまたは求められたアクセスをブロックしています。何も接続されていません。',
      next: '管理者にアプリを許可するよう依頼してから、もう一度お試しください。',
    },
    account_restricted: {
      title: '{provider} がこのアカウントを制限しています',
      happened:
        '現在、アプリでこのアカウントを使用できません。{provider} または管理者が制限しています。何も接続されていません。',
      next: 'アカウントに表示される案内を確認するか、管理者に問い合わせてから、もう一度お試しください。',
    },
    account_protected: {
      title: 'このアカウントは特別に保護されています',
      happened: '{provider} の保護により、このアカウントではアプリを使用できません。何も接続されていません。',
      next: '別のアカウントを接続してください。このアカウントは、保護を解除しない限り、再試行しても接続できません。',
    },
    organization_only: {
      title: 'このアプリは作成元の組織専用です',
      happened:
        '{provider} の設定により、このアプリは作成元の組織のアカウントだけが使用できます。選択したアカウントはその組織のものではありません。何も接続されていません。',
      next: `その組織のアカウントでもう一度お試しください。他の人も使用する場合は、アプリの開発者が {provider} で公開範囲を変更する必要があります。`,
    },
    sign_in_needed: {
      title: '{provider} でアカウントを選択する必要があります',
      happened: '{provider} は、先に確認が必要なため続行できませんでした。何も接続されていません。',
      next: 'もう一度試して、表示される手順に沿って進めてください。',
    },
    provider_trouble: {
      title: '{provider} で問題が発生しました',
      happened: '{provider} がリクエストに応答できませんでした。何も接続されていません。',
      next: '1 分待ってから、もう一度お試しください。',
    },
    app_misconfigured: {
      title: 'アプリが正しく設定されていません',
      happened: '{provider} がこのアプリのアクセス要求の方法を受け付けていません。何も接続されていません。',
      next: 'このページを開いたアプリの開発者が、{provider} 側の設定を修正する必要があります。{provider} の回答を開発者に伝えてください。',
    },
    app_disabled: {
      title: '{provider} がアプリを無効にしました',
      happened: '{provider} がこのアプリのログインを停止しました。何も接続されていません。',
      next: 'このページを開いたアプリの開発者が、{provider} で確認する必要があります。{provider} の回答を開発者に伝えてください。',
    },
    provider_refused: {
      title: '{provider} がアクセスを許可しませんでした',
      happened: '{provider} がアクセスを許可せずにログインを終了しました。何も接続されていません。',
      next: 'もう一度お試しください。繰り返し起こる場合は、{provider} の回答をアプリの開発者に伝えてください。',
    },
    integration_gone: {
      title: 'この接続は提供されなくなりました',
      happened: '接続の途中で、アプリがこの連携を削除しました。何も接続されていません。',
      next: 'アプリに戻ってください。代わりになるものはアプリの開発者に確認できます。',
    },
    integration_changed: {
      title: '接続の途中でアプリが変更されました',
      happened: '開発者がアプリの求める内容を変更したため、あなたの回答と合わなくなりました。何も接続されていません。',
      next: 'もう一度試して、現在求められている内容を確認してください。',
    },
    credentials_missing: {
      title: 'アプリの設定が完了していません',
      happened: 'アプリには、これに使用できる OAuth クライアントがありません。何も接続されていません。',
      next: 'このページを開いたアプリの開発者が、連携に独自の OAuth クライアントを追加する必要があります。',
    },
    client_rejected: {
      title: '{provider} がアプリを受け付けていません',
      happened: '{provider} がこのアプリの OAuth クライアントを拒否しました。何も接続されていません。',
      next: 'このページを開いたアプリの開発者が、クライアント ID、クライアント シークレット、またはリダイレクト URI を修正する必要があります。{provider} の回答を開発者に伝えてください。',
    },
    code_rejected: {
      title: '{provider} が応答を受け付けませんでした',
      happened: 'このログインのワンタイム コードが受け付けられませんでした。何も接続されていません。',
      next: AGAIN,
    },
    provider_unreachable: {
      title: '{provider} に接続できませんでした',
      happened: '{provider} との最後の手順が失敗しました。何も接続されていません。',
      next: '1 分待ってから、もう一度お試しください。',
    },
    no_refresh_token: {
      title: '{provider} のアクセス許可は短時間のみでした',
      happened: '{provider} から継続的な許可が得られず、接続がすぐに終了してしまうため、保存されませんでした。',
      next: 'もう一度お試しください。繰り返し起こる場合は、まず {provider} のアカウントからこのアプリを削除してください。',
    },
    only_sign_in: {
      title: '権限が選択されていません',
      happened: 'ログインしましたが、アプリが使用できる権限が許可されていません。何も接続されていません。',
      next: 'もう一度試して、少なくとも 1 つの権限を選択してください。',
    },
    account_unproven: {
      title: 'アカウントを確認できませんでした',
      happened:
        'どのアカウントであるかを {provider} で確認できなかったため、使用されませんでした。何も変更されていません。',
      next: AGAIN,
    },
    wrong_account: {
      title: '別の {provider} アカウントです',
      happened: 'この接続は {expected} のものですが、{chosen} が選択されました。何も変更されていません。',
      next: '{expected} でもう一度お試しください。別のアカウントを接続するには、アプリに戻ってください。',
    },
    wrong_domain: {
      title: '組織が異なるアカウントです',
      happened:
        'アプリが受け付けるのは {domain} の Google アカウントのみですが、{chosen} が選択されました。何も接続されていません。',
      next: '{domain} のアカウントでもう一度お試しください。',
    },
    no_organization: {
      title: '組織が異なるアカウントです',
      happened:
        'アプリが受け付けるのは組織(Google Workspace)の Google アカウントのみですが、{chosen} が選択されました。何も接続されていません。',
      next: '仕事用または学校用のアカウントでもう一度お試しください。',
    },
    connection_deleted: {
      title: '接続はもうありません',
      happened: 'ログインの途中で接続が削除されました。何も接続されていません。',
      next: 'アプリに戻って、アカウントをもう一度接続してください。',
    },
    connection_ended: {
      title: '接続は終了しました',
      happened: '{provider} が、ファイルの対象となる接続を受け付けなくなりました。何も変更されていません。',
      next: 'アプリに戻ってアカウントをもう一度接続してから、ファイルを選択してください。',
    },
    changed_meanwhile: {
      title: '接続が別の操作で変更されました',
      happened: '同じタイミングで接続が何度も変更されました。何も保存されていません。',
      next: AGAIN,
    },
    internal: {
      title: 'こちら側で問題が発生しました',
      happened: '接続できませんでした。何も保存されていません。',
      next: 'もう一度お試しください。繰り返し起こる場合は、下のリクエスト番号をアプリの開発者に伝えてください。',
    },
  },
  failuresAt: {
    google: {
      admin_blocked: {
        title: '組織がこのアプリを許可していません',
        happened:
          'Google Workspace の管理者が、このアプリまたは求められたアクセスをブロックしています。何も接続されていません。',
        next: '管理者に Google 管理コンソールでアプリを許可するよう依頼してから、もう一度お試しください。',
      },
      account_restricted: {
        title: 'Google がこのアカウントを制限しています',
        happened:
          '現在、アプリでこのアカウントを使用できません。Google または管理者が制限しています。何も接続されていません。',
        next: 'myaccount.google.com で Google からの案内を確認するか、管理者に問い合わせてから、もう一度お試しください。',
      },
      account_protected: {
        title: 'アカウントで高度な保護機能が有効です',
        happened:
          'この Google アカウントは高度な保護機能プログラムに登録されており、Google が承認していないアプリは拒否されます。何も接続されていません。',
        next: '別の Google アカウントを接続してください。このアカウントは、プログラムの登録を解除しない限り、再試行しても接続できません。',
      },
      organization_only: {
        title: 'このアプリは作成元の組織専用です',
        happened:
          'Google の設定により、このアプリは作成元の組織のアカウントだけが使用できます。選択したアカウントはその組織のものではありません。何も接続されていません。',
        next: 'その組織のアカウントでもう一度お試しください。他の人も使用する場合は、アプリの開発者が Google Cloud コンソールで対象を「外部」に変更する必要があります。',
      },
      sign_in_needed: {
        title: 'Google でアカウントを選択する必要があります',
        happened: 'Google は、先に確認が必要なため続行できませんでした。何も接続されていません。',
        next: 'もう一度試して、Google のページの手順に沿って進めてください。',
      },
      app_misconfigured: {
        title: 'アプリの設定が正しくありません',
        happened: 'Google がこのアプリのアクセス要求の方法を受け付けていません。何も接続されていません。',
        next: 'このページを開いたアプリの開発者が、Google Cloud コンソールの設定を修正する必要があります。Google の回答を開発者に伝えてください。',
      },
      app_disabled: {
        title: 'Google がアプリを無効にしました',
        happened:
          'Google がこのアプリのログインを停止したか、審査が終わるまで新しいユーザーを受け入れていません。何も接続されていません。',
        next: 'このページを開いたアプリの開発者が、Google Cloud コンソールで確認する必要があります。Google の回答を開発者に伝えてください。',
      },
      no_refresh_token: {
        title: 'Google のアクセス許可は 1 時間のみでした',
        happened: 'Google から継続的な許可が得られず、接続が 1 時間以内に終了してしまうため、保存されませんでした。',
        next: 'もう一度お試しください。繰り返し起こる場合は、先に myaccount.google.com/connections でアプリを削除してください。',
      },
    },
  },
  unknownAccounts: { expected: '別の {provider} アカウント', chosen: '異なるアカウント' },
  services: { 'google-drive': 'Google ドライブ', 'google-calendar': 'Google カレンダー' },
  scopes: {
    'drive.file': 'このアプリで使用するドライブのファイルのみの表示、編集、作成、削除。',
    'drive.appdata': 'ドライブ内のアプリ自身の設定データの表示、作成、削除。',
    'drive.install': 'ファイルを開くアプリとしてのドライブへの表示。',
    'drive.apps.readonly': 'インストールされているドライブのアプリの表示。',
    drive: 'ドライブのすべてのファイルの表示、編集、作成、削除。',
    'drive.readonly': 'ドライブのすべてのファイルの表示とダウンロード。',
    'drive.metadata': 'ドライブのファイルのメタデータの表示と管理。',
    'drive.metadata.readonly': 'ドライブのファイルに関する情報の表示(内容は含まれません)。',
    'drive.meet.readonly': 'Google Meet が作成または編集したドライブのファイルの表示とダウンロード。',
    'drive.scripts': 'アカウントの Apps Script スクリプトの動作の変更。',
    'drive.activity': 'ドライブのファイルのアクティビティ記録の表示と追加。',
    'drive.activity.readonly': 'ドライブのファイルのアクティビティ記録の表示。',
    'calendar.app.created': '追加のカレンダーの作成と、そのカレンダーのみの管理。',
    'calendar.calendarlist.readonly': 'アカウントが登録しているカレンダーの表示。',
    'calendar.events.freebusy': 'アカウントが閲覧できるカレンダーの空き状況の表示。',
    'calendar.events.public.readonly': '一般公開されているカレンダーの予定の表示。',
    'calendar.freebusy': 'アカウントの空き時間と予定ありの時間の表示。',
    'calendar.settings.readonly': 'Google カレンダーの設定の表示。',
    calendar: 'すべてのカレンダーの表示、編集、共有、削除。',
    'calendar.readonly': 'すべてのカレンダーとその予定の表示。',
    'calendar.events': 'すべてのカレンダーの予定の表示と編集。',
    'calendar.events.readonly': 'すべてのカレンダーの予定の表示。',
    'calendar.events.owned': 'アカウントが所有するカレンダーの予定の表示、作成、変更、削除。',
    'calendar.events.owned.readonly': 'アカウントが所有するカレンダーの予定の表示。',
    'calendar.calendarlist': '登録しているカレンダーの表示、追加、削除。',
    'calendar.calendars': 'カレンダーのプロパティの表示と変更、および追加のカレンダーの作成。',
    'calendar.calendars.readonly': 'カレンダーのタイトル、説明、タイムゾーンの表示。',
    'calendar.acls': 'カレンダーの共有相手の表示と変更。',
    'calendar.acls.readonly': 'カレンダーの共有相手の表示。',
  },
};
