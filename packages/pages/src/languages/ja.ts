import type { Language } from "../messages/messages.ts"

/** Japanese. */
const japanese: Language = {
  tag: "ja",
  messages: {
    signInHeading: "ログイン",
    continueTo: "{site} に進みます",
    signInTo: "{site} にログイン",
    signInWith: "{provider} でログイン",
    signInButton: "ログイン",
    signInWithEmail: "ログイン用リンクをメールで受け取る",
    signInByEmail: "メールアドレスでログイン",
    signInByPassword: "パスワードでログイン",
    signInWithPasskey: "パスキーでログイン",
    lastUsed: "前回使用",
    rememberMe: "ログインしたままにする",
    newHere: "初めてご利用の方は",
    createAccount: "アカウントを作成",
    createPasskey: "パスキーを作成",
    emailLabel: "メールアドレス",
    nameLabel: "お名前",
    or: "または",
    passkeysUnsupported:
      "このブラウザはパスキーに対応していません。別の方法でログインしてください。",
    passkeysNeedJavaScript: "パスキーでログインするには、JavaScript を有効にしてください。",
    noSignInMethods:
      "まだログインできません。このサイトの管理者の方は、プロバイダーを設定してください。",

    passkeyExists: "このデバイスにはすでにパスキーがあります。そのパスキーでログインしてください。",
    passkeyCancelled: "パスキーは使用されませんでした。準備ができたら、もう一度お試しください。",
    passkeyInvalidInput: "入力内容を確認して、もう一度お試しください。",
    passkeyFailed:
      "パスキーを使用できませんでした。もう一度試すか、別の方法でログインしてください。",
    passkeyNotVerified:
      "パスキーを確認できませんでした。もう一度試すか、別の方法でログインしてください。",

    signInFailed:
      "ログインできませんでした。もう一度試すか、別のアカウントでログインしてください。",
    signInNotCompleted:
      "ログインが完了しませんでした。もう一度試すか、別の方法でログインしてください。",
    signInExpiredHeading: "ログインの有効期限が切れました",
    signInExpired: "時間がかかりすぎたか、すでに完了しているか、別のブラウザで開始されました。",
    accountNotLinked:
      "このアカウントは、ご利用中のアカウントと連携されていません。最初に使用したアカウントでログインしてください。",
    emailNotSent: "メールを送信できませんでした。アドレスを確認して、もう一度お試しください。",
    invalidEmail: "有効なメールアドレスを 1 つ入力してください。",
    incorrectDetails:
      "ログイン情報が正しくありません。入力内容を確認して、もう一度お試しください。",
    accessDeniedHeading: "アクセスが拒否されました",
    accessDenied: "ログインする権限がありません。別のアカウントでお試しください。",
    linkExpiredHeading: "このリンクは無効になりました",
    linkExpired:
      "このログイン用リンクは、有効期限が切れているか、すでに使用されています。新しいリンクをリクエストしてください。",
    tooManyAttemptsHeading: "試行回数が多すぎます",
    tooManyAttempts: "試行回数が多すぎます。数分待ってから、もう一度お試しください。",
    waitAndTryAgain: "数分待ってから、もう一度お試しください。",
    unavailableHeading: "ログインできません",
    unavailable: "現在、ログインできません。しばらくしてから、もう一度お試しください。",
    checkServerLog: "このサイトの管理者の方は、サーバーのログを確認してください。",
    signInRequired: "このページを表示するには、ログインしてください。",
    pageExpired:
      "このページが長時間開かれていたか、別のタブでも開かれていました。もう一度お試しください。",
    unknownErrorHeading: "問題が発生しました",
    unknownError: "リクエストを完了できませんでした。もう一度お試しください。",
    tryAgain: "もう一度試す",
    notFoundHeading: "ページが見つかりません",
    notFound: "このアドレスにページはありません。",

    signOutHeading: "ログアウト",
    signOutQuestion: "ログアウトしますか？",
    signOutButton: "ログアウト",
    staySignedIn: "ログインしたままにする",
    signOutFailedHeading: "まだログインしています",
    signOutFailed: "現在、ログアウトできません。しばらくしてから、もう一度お試しください。",

    checkEmailHeading: "メールを確認してください",
    checkEmailText:
      "ログイン用リンクを送信しました。届かない場合は、迷惑メールフォルダを確認してください。",
    emailSentTo: "{email} 宛てにログイン用リンクを送信しました。",
    linkAndCodeSentTo:
      "{email} 宛てにログイン用リンクとコードを送信しました。このブラウザでリンクを開くか、ここにコードを入力してください。",
    checkSpamFolder: "メールが届かない場合は、迷惑メールフォルダを確認してください。",
    resendEmail: "メールを再送信",
    useAnotherEmail: "別のアドレスを使用",
    emailSentAgain: "メールを再送信しました。最新のメールをご利用ください。",
    emailSentRecently: "先ほどメールを送信しました。数秒待ってから、もう一度お試しください。",
    tooManyEmails: "メールのリクエスト回数が多すぎます。数分待ってから、もう一度お試しください。",
    codeLabel: "メールに記載のコード",
    codeIncorrect: "コードが正しくありません。入力内容を確認して、もう一度お試しください。",
    codeAttemptsLeft: "あと {count} 回試せます。",
    codeInvalid: "このコードは無効になりました。もう一度メールをリクエストしてください。",
    linkOpened: "別のタブでリンクを開きましたか？",
    notSignedInYet: "まだログインしていません。先にメール内のリンクを開いてください。",

    confirmHeading: "ログインの確認",
    confirmText:
      "このリンクに心当たりがない場合は、このページを閉じてください。ログインは行われません。",
    enterCodeHeading: "メールに記載のコードを入力してください",
    enterCodeText:
      "このリンクは別のブラウザでリクエストされました。ここでログインするには、同じメールに記載のコードを入力してください。",
    codeMissing: "コードがない場合、このリンクはリクエストしたブラウザでのみ使用できます。",
    noCode: "メールにコードがありません",
    signedInAs: "{user} としてログインしています。",
    signedIn: "ログインしています。",
    continueToSite: "{site} に進む",
    continueButton: "続行",
    useAnotherAccount: "別のアカウントを使用",
    continueAs: "{user} として続行",

    secondFactorHeading: "あと 1 ステップです",
    authenticatorText: "認証アプリに表示されているコードを入力してください。",
    authenticatorCodeLabel: "アプリのコード",
    recoveryCodeText: "リカバリーコードを 1 つ入力してください。各コードは 1 回だけ使用できます。",
    recoveryCodeLabel: "リカバリーコード",
    useRecoveryCode: "リカバリーコードを使用",
    useAuthenticator: "認証アプリを使用",
    passkeyText: "パスキーで本人確認を行ってください。",
    usePasskey: "パスキーを使用",
    emailFactorText: "{email} 宛てにコードを送信します。",
    emailFactorSent: "{email} 宛てにコードを送信しました。ここに入力してください。",
    sendCodeButton: "コードを送信",
    useEmailCode: "メールでコードを受け取る",
    setUpEmailHeading: "メールでのコードの受け取りを設定",
    addPasskeyText: "パスキーを使うと、指紋、顔、またはデバイスの PIN でログインできます。",
    trustDevice: "このデバイスを信頼する",
    cancelButton: "キャンセル",
    setUpFactorHeading: "認証アプリを設定",
    setUpFactorText:
      "スマートフォンの認証アプリでこのコードをスキャンし、アプリに表示されるコードを入力してください。",
    qrCode: "QR コード",
    setUpKeyText: "スキャンできない場合は、次のキーをアプリに入力してください。",
    openAuthenticator: "このデバイスのアプリを開く",
    recoveryCodesHeading: "リカバリーコードを保存",
    recoveryCodesText:
      "2 つ目の認証方法を使用できない場合は、代わりに各コードを 1 回ずつ使用できます。自分だけがわかる場所に保管してください。再表示されることはありません。",
    codesSaved: "コードを保存しました",

    signInEmailSubject: "{app} にログイン",
    signInEmailExpiry: "このリンクは 1 回のみ有効で、{duration}後に無効になります。",
    signInEmailLinkHint: "ボタンが機能しない場合は、このリンクをブラウザにコピーしてください。",
    signInEmailCodeHint:
      "別のデバイスやブラウザでログインを始めた場合は、そちらでこのコードを入力してください。",
    signInEmailCodeExpiry:
      "このコードは {duration}後に無効になります。誰にも教えないでください。{app} の担当者がコードをお尋ねすることはありません。",
    signInEmailIgnore:
      "ログインに心当たりがない場合は、このメールを無視してください。リンクを知っている人は誰でもあなたになりすましてログインできるため、転送しないでください。",

    codeEmailSubject: "{app} のコード",
    codeEmailText: "コードの入力を求めているページで、次のコードを入力してください。",
    codeEmailIgnore:
      "このコードに心当たりがない場合は、第三者があなたのアカウントにログインしようとしている可能性があります。コードを誰にも教えず、アカウントのセキュリティを確認してください。",
    noticeSubject: "{app} のアカウントが変更されました",
    noticeAppAdded: "アカウントに認証アプリが追加されました。",
    noticeAppRemoved: "アカウントから認証アプリが削除されました。",
    noticeRecoveryCodesAdded:
      "アカウントに新しいリカバリーコードが作成されました。以前のコードは使用できなくなりました。",
    noticeRecoveryCodesRemoved: "アカウントのリカバリーコードが削除されました。",
    noticeEmailCodesAdded: "アカウントでメールでのコードの受け取りが有効になりました。",
    noticeEmailCodesRemoved: "アカウントでメールでのコードの受け取りが無効になりました。",
    noticePasskeyAdded: "アカウントにパスキーが追加されました。",
    noticePasskeyRemoved: "アカウントからパスキーが削除されました。",
    noticePasskeyRenamed: "アカウントのパスキーの名前が変更されました。",
    noticeHint:
      "心当たりがない場合は、すぐにログインしてアカウントのセキュリティを確認してください。",

    homeLink: "トップページへ",
    backTo: "{app} に戻る",
    logo: "ロゴ",
  },
}
export default japanese
