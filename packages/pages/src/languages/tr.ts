import type { Language } from "../messages/messages.ts"

/** Turkish. */
const turkish: Language = {
  tag: "tr",
  messages: {
    signInHeading: "Oturum aç",
    continueTo: "{site} sitesine devam etmek için",
    signInTo: "{site} hesabınızda oturum açın",
    signInWith: "{provider} ile oturum aç",
    signInButton: "Oturum aç",
    signInWithEmail: "Oturum açma bağlantısı gönder",
    signInByEmail: "E-posta ile oturum aç",
    signInByPassword: "Şifreyle oturum aç",
    signInWithPasskey: "Geçiş anahtarıyla oturum aç",
    lastUsed: "Son kullanılan",
    rememberMe: "Oturumu açık tut",
    newHere: "Hesabınız yok mu?",
    createAccount: "Hesap oluştur",
    createPasskey: "Geçiş anahtarı oluştur",
    emailLabel: "E-posta adresi",
    nameLabel: "Ad",
    or: "veya",
    passkeysUnsupported:
      "Bu tarayıcı geçiş anahtarlarını desteklemiyor. Başka bir yöntemle oturum açın.",
    passkeysNeedJavaScript: "Geçiş anahtarıyla oturum açmak için JavaScript’i etkinleştirin.",
    noSignInMethods:
      "Henüz oturum açılamıyor. Bu siteyi siz yönetiyorsanız bir sağlayıcı yapılandırın.",

    passkeyExists: "Bu cihazda sizin için zaten bir geçiş anahtarı var. Onunla oturum açın.",
    passkeyCancelled: "Geçiş anahtarı kullanılmadı. Hazır olduğunuzda tekrar deneyin.",
    passkeyInvalidInput: "Girdiğiniz bilgileri kontrol edip tekrar deneyin.",
    passkeyFailed: "Geçiş anahtarı çalışmadı. Tekrar deneyin veya başka bir yöntemle oturum açın.",
    passkeyNotVerified:
      "Geçiş anahtarınız doğrulanamadı. Tekrar deneyin veya başka bir yöntemle oturum açın.",

    signInFailed: "Oturum açılamadı. Tekrar deneyin veya başka bir hesapla oturum açın.",
    signInNotCompleted:
      "Oturum açma tamamlanmadı. Tekrar deneyin veya başka bir yöntemle oturum açın.",
    signInExpiredHeading: "Bu oturum açma işleminin süresi doldu",
    signInExpired: "İşlem çok uzun sürdü, zaten tamamlandı veya başka bir tarayıcıda başlatıldı.",
    accountNotLinked:
      "Bu hesap sizin hesabınıza bağlı değil. İlk kullandığınız hesapla oturum açın.",
    emailNotSent: "E-posta gönderilemedi. Adresi kontrol edip tekrar deneyin.",
    invalidEmail: "Tek bir geçerli e-posta adresi girin.",
    incorrectDetails:
      "Oturum açma bilgileri yanlış. Girdiğiniz bilgileri kontrol edip tekrar deneyin.",
    accessDeniedHeading: "Erişim reddedildi",
    accessDenied: "Oturum açma izniniz yok. Başka bir hesapla deneyin.",
    linkExpiredHeading: "Bu bağlantı artık çalışmıyor",
    linkExpired:
      "Bu oturum açma bağlantısının süresi doldu veya bağlantı daha önce kullanıldı. Yeni bir bağlantı isteyin.",
    tooManyAttemptsHeading: "Çok fazla deneme",
    tooManyAttempts: "Çok fazla deneme yapıldı. Birkaç dakika bekleyip tekrar deneyin.",
    waitAndTryAgain: "Birkaç dakika bekleyip tekrar deneyin.",
    unavailableHeading: "Oturum açma kullanılamıyor",
    unavailable: "Şu anda oturum açılamıyor. Daha sonra tekrar deneyin.",
    checkServerLog: "Bu siteyi siz yönetiyorsanız sunucu günlüğüne bakın.",
    signInRequired: "Bu sayfayı görmek için oturum açın.",
    pageExpired:
      "Bu sayfa çok uzun süre açık kaldı veya başka bir sekmede de açıktı. Tekrar deneyin.",
    unknownErrorHeading: "Bir sorun oluştu",
    unknownError: "İsteğiniz tamamlanamadı. Tekrar deneyin.",
    tryAgain: "Tekrar dene",
    notFoundHeading: "Sayfa bulunamadı",
    notFound: "Bu adreste bir sayfa yok.",

    signOutHeading: "Oturumu kapat",
    signOutQuestion: "Oturumu kapatmak istiyor musunuz?",
    signOutButton: "Oturumu kapat",
    staySignedIn: "Oturumu açık tut",
    signOutFailedHeading: "Oturumunuz hâlâ açık",
    signOutFailed: "Oturumunuz şu anda kapatılamadı. Biraz sonra tekrar deneyin.",

    checkEmailHeading: "E-postanızı kontrol edin",
    checkEmailText: "Oturum açma bağlantısı yolda. Gelmezse spam klasörünüze bakın.",
    emailSentTo: "{email} adresine bir oturum açma bağlantısı gönderdik.",
    linkAndCodeSentTo:
      "{email} adresine bir oturum açma bağlantısı ve bir kod gönderdik. Bağlantıyı bu tarayıcıda açın veya kodu buraya girin.",
    checkSpamFolder: "E-posta gelmezse spam klasörünüze bakın.",
    resendEmail: "Yeni bir e-posta gönder",
    useAnotherEmail: "Başka bir adres kullan",
    emailSentAgain: "Yeni bir e-posta gönderdik. En son gelen e-postayı kullanın.",
    emailSentRecently:
      "Az önce bir e-posta gönderdik. Tekrar denemeden önce birkaç saniye bekleyin.",
    tooManyEmails: "Çok fazla e-posta istendi. Birkaç dakika bekleyip tekrar deneyin.",
    codeLabel: "E-postadaki kod",
    codeIncorrect: "Kod yanlış. Kontrol edip tekrar deneyin.",
    codeAttemptsLeft: "Kalan deneme sayısı: {count}.",
    codeInvalid: "Bu kod artık geçerli değil. Yeni bir e-posta isteyin.",
    linkOpened: "Bağlantıyı başka bir sekmede mi açtınız?",
    notSignedInYet: "Henüz oturum açmadınız. Önce e-postadaki bağlantıyı açın.",

    confirmHeading: "Oturum açmayı onaylayın",
    confirmText: "Bu bağlantıyı siz istemediyseniz bu sayfayı kapatın: oturumunuz açılmaz.",
    enterCodeHeading: "E-postadaki kodu girin",
    enterCodeText:
      "Bu bağlantı başka bir tarayıcıda istendi. Burada oturum açmak için aynı e-postadaki kodu girin.",
    codeMissing: "Kod olmadan bu bağlantı yalnızca istendiği tarayıcıda çalışır.",
    noCode: "E-postamda kod yok",
    signedInAs: "{user} olarak oturum açtınız.",
    signedIn: "Oturumunuz açık.",
    continueToSite: "{site} sitesine devam et",
    continueButton: "Devam et",
    useAnotherAccount: "Başka bir hesap kullan",
    continueAs: "{user} olarak devam et",

    secondFactorHeading: "Bir adım daha",
    authenticatorText: "Kimlik doğrulama uygulamanızın gösterdiği kodu girin.",
    authenticatorCodeLabel: "Uygulamadaki kod",
    recoveryCodeText: "Kurtarma kodlarınızdan birini girin. Her kod bir kez kullanılabilir.",
    recoveryCodeLabel: "Kurtarma kodu",
    useRecoveryCode: "Kurtarma kodu kullan",
    useAuthenticator: "Kimlik doğrulama uygulamasını kullan",
    passkeyText: "Geçiş anahtarınızla siz olduğunuzu doğrulayın.",
    usePasskey: "Geçiş anahtarı kullan",
    emailFactorText: "{email} adresine bir kod göndereceğiz.",
    emailFactorSent: "{email} adresine bir kod gönderdik. Buraya girin.",
    sendCodeButton: "Kodu gönder",
    useEmailCode: "E-postayla kod al",
    setUpEmailHeading: "E-posta kodlarını ayarlayın",
    addPasskeyText:
      "Geçiş anahtarıyla parmak iziniz, yüzünüz veya cihazınızın PIN koduyla oturum açarsınız.",
    trustDevice: "Bu cihaza güven",
    cancelButton: "İptal",
    setUpFactorHeading: "Kimlik doğrulama uygulaması ayarlayın",
    setUpFactorText:
      "Bu kodu telefonunuzdaki bir kimlik doğrulama uygulamasıyla tarayın. Ardından uygulamanın gösterdiği kodu girin.",
    qrCode: "QR kodu",
    setUpKeyText: "Tarayamıyorsanız bu anahtarı uygulamaya girin:",
    openAuthenticator: "Bu cihazda bir uygulama aç",
    recoveryCodesHeading: "Kurtarma kodlarınızı kaydedin",
    recoveryCodesText:
      "İkinci faktörünüzü kullanamazsanız bu kodların her biri onun yerine bir kez kullanılabilir. Yalnızca sizin bulabileceğiniz bir yerde saklayın: bir daha gösterilmeyecekler.",
    codesSaved: "Kodları kaydettim",

    signInEmailSubject: "{app} hesabınızda oturum açın",
    signInEmailExpiry: "Bağlantı yalnızca bir kez kullanılabilir ve {duration} geçerlidir.",
    signInEmailLinkHint: "Düğme çalışmazsa bu bağlantıyı tarayıcınıza kopyalayın:",
    signInEmailCodeHint:
      "Oturum açmaya başka bir cihazda veya tarayıcıda başladıysanız bu kodu oraya girin:",
    signInEmailCodeExpiry:
      "Kod {duration} geçerlidir. Paylaşmayın: {app} adına hiç kimse sizden bu kodu istemez.",
    signInEmailIgnore:
      "Oturum açmayı siz istemediyseniz bu e-postayı yok sayabilirsiniz. Başkalarına iletmeyin: bağlantıya sahip olan herkes sizin adınıza oturum açabilir.",

    codeEmailSubject: "{app} için kodunuz",
    codeEmailText: "Bu kodu isteyen sayfaya girin:",
    codeEmailIgnore:
      "Bu kodu siz istemediyseniz başka biri sizin adınıza oturum açmaya çalışıyor olabilir. Kodu kimseyle paylaşmayın ve hesabınızın güvenliğini kontrol edin.",
    noticeSubject: "{app} hesabınız değişti",
    noticeAppAdded: "Hesabınıza bir kimlik doğrulama uygulaması eklendi.",
    noticeAppRemoved: "Hesabınızdan bir kimlik doğrulama uygulaması kaldırıldı.",
    noticeRecoveryCodesAdded: "Hesabınızın yeni kurtarma kodları var. Öncekiler artık çalışmıyor.",
    noticeRecoveryCodesRemoved: "Hesabınızın kurtarma kodları kaldırıldı.",
    noticeEmailCodesAdded: "Hesabınızda e-posta kodları etkinleştirildi.",
    noticeEmailCodesRemoved: "Hesabınızda e-posta kodları devre dışı bırakıldı.",
    noticePasskeyAdded: "Hesabınıza bir geçiş anahtarı eklendi.",
    noticePasskeyRemoved: "Hesabınızdan bir geçiş anahtarı kaldırıldı.",
    noticePasskeyRenamed: "Hesabınızdaki bir geçiş anahtarının adı değişti.",
    noticeHint: "Bunu siz yapmadıysanız oturum açın ve hesabınızın güvenliğini hemen kontrol edin.",

    homeLink: "Ana sayfaya git",
    backTo: "{app} sitesine dön",
    logo: "Logo",
  },
}
export default turkish
