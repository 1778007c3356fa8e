import type { Language } from "../messages/messages.ts"

/** Polish. */
const polish: Language = {
  tag: "pl",
  messages: {
    signInHeading: "Logowanie",
    continueTo: "aby przejść do {site}",
    signInTo: "Logowanie do {site}",
    signInWith: "Zaloguj się przez {provider}",
    signInButton: "Zaloguj się",
    signInWithEmail: "Wyślij mi link do logowania",
    signInByEmail: "Zaloguj się przez e\u2011mail",
    signInByPassword: "Zaloguj się hasłem",
    signInWithPasskey: "Zaloguj się kluczem dostępu",
    lastUsed: "Ostatnio używane",
    rememberMe: "Nie wylogowuj mnie",
    newHere: "Pierwszy raz tutaj?",
    createAccount: "Utwórz konto",
    createPasskey: "Utwórz klucz dostępu",
    emailLabel: "Adres e-mail",
    nameLabel: "Imię",
    or: "lub",
    passkeysUnsupported: "Ta przeglądarka nie obsługuje kluczy dostępu. Zaloguj się w inny sposób.",
    passkeysNeedJavaScript: "Aby zalogować się kluczem dostępu, włącz JavaScript.",
    noSignInMethods:
      "Logowanie nie jest jeszcze możliwe. Jeśli prowadzisz tę witrynę, skonfiguruj dostawcę.",

    passkeyExists: "Na tym urządzeniu jest już Twój klucz dostępu. Użyj go, aby się zalogować.",
    passkeyCancelled: "Nie użyto klucza dostępu. Spróbuj ponownie w dowolnej chwili.",
    passkeyInvalidInput: "Sprawdź wpisane dane i spróbuj ponownie.",
    passkeyFailed: "Klucz dostępu nie zadziałał. Spróbuj ponownie lub zaloguj się w inny sposób.",
    passkeyNotVerified:
      "Nie udało się zweryfikować Twojego klucza dostępu. Spróbuj ponownie lub zaloguj się w inny sposób.",

    signInFailed: "Nie udało się zalogować. Spróbuj ponownie lub zaloguj się na inne konto.",
    signInNotCompleted:
      "Logowanie nie zostało ukończone. Spróbuj ponownie lub zaloguj się w inny sposób.",
    signInExpiredHeading: "To logowanie wygasło",
    signInExpired:
      "Trwało zbyt długo, zostało już ukończone lub rozpoczęto je w innej przeglądarce.",
    accountNotLinked:
      "To konto nie jest połączone z Twoim. Zaloguj się na konto, z którego korzystasz od początku.",
    emailNotSent: "Nie udało się wysłać e-maila. Sprawdź adres i spróbuj ponownie.",
    invalidEmail: "Wpisz jeden prawidłowy adres e-mail.",
    incorrectDetails: "Nieprawidłowe dane logowania. Sprawdź je i spróbuj ponownie.",
    accessDeniedHeading: "Brak dostępu",
    accessDenied: "Nie masz uprawnień do logowania. Spróbuj na innym koncie.",
    linkExpiredHeading: "Ten link już nie działa",
    linkExpired: "Ten link do logowania wygasł lub został już użyty. Poproś o nowy.",
    tooManyAttemptsHeading: "Zbyt wiele prób",
    tooManyAttempts: "Zbyt wiele prób. Odczekaj kilka minut i spróbuj ponownie.",
    waitAndTryAgain: "Odczekaj kilka minut i spróbuj ponownie.",
    unavailableHeading: "Logowanie jest niedostępne",
    unavailable: "Logowanie jest teraz niedostępne. Spróbuj ponownie później.",
    checkServerLog: "Jeśli prowadzisz tę witrynę, sprawdź dziennik serwera.",
    signInRequired: "Zaloguj się, aby zobaczyć tę stronę.",
    pageExpired: "Ta strona była otwarta zbyt długo lub także w innej karcie. Spróbuj ponownie.",
    unknownErrorHeading: "Coś poszło nie tak",
    unknownError: "Nie udało się wykonać tej czynności. Spróbuj ponownie.",
    tryAgain: "Spróbuj ponownie",
    notFoundHeading: "Nie znaleziono strony",
    notFound: "Pod tym adresem nie ma żadnej strony.",

    signOutHeading: "Wylogowanie",
    signOutQuestion: "Czy chcesz się wylogować?",
    signOutButton: "Wyloguj się",
    staySignedIn: "Nie wylogowuj mnie",
    signOutFailedHeading: "Twoja sesja jest nadal aktywna",
    signOutFailed: "Wylogowanie nie jest teraz możliwe. Spróbuj ponownie za chwilę.",

    checkEmailHeading: "Sprawdź pocztę",
    checkEmailText:
      "Link do logowania jest już w drodze. Jeśli nie dotrze, zajrzyj do folderu ze spamem.",
    emailSentTo: "Wysłaliśmy link do logowania na adres {email}.",
    linkAndCodeSentTo:
      "Wysłaliśmy link do logowania i kod na adres {email}. Otwórz link w tej przeglądarce lub wpisz kod tutaj.",
    checkSpamFolder: "Jeśli e-mail nie dotrze, zajrzyj do folderu ze spamem.",
    resendEmail: "Wyślij kolejny e-mail",
    useAnotherEmail: "Użyj innego adresu",
    emailSentAgain: "Wysłaliśmy kolejny e-mail. Użyj najnowszego.",
    emailSentRecently:
      "E-mail został wysłany przed chwilą. Odczekaj kilka sekund i spróbuj ponownie.",
    tooManyEmails: "Zbyt wiele próśb o e-mail. Odczekaj kilka minut i spróbuj ponownie.",
    codeLabel: "Kod z e\u2011maila",
    codeIncorrect: "Ten kod jest nieprawidłowy. Sprawdź go i spróbuj ponownie.",
    codeAttemptsLeft: "Pozostałe próby: {count}.",
    codeInvalid: "Ten kod stracił ważność. Poproś o kolejny e-mail.",
    linkOpened: "Link otwarty w innej karcie?",
    notSignedInYet: "Logowanie jeszcze nie nastąpiło. Najpierw otwórz link z e-maila.",

    confirmHeading: "Potwierdź logowanie",
    confirmText:
      "Jeśli prośba o ten link nie pochodzi od Ciebie, zamknij tę stronę: logowanie nie nastąpi.",
    enterCodeHeading: "Wpisz kod z e\u2011maila",
    enterCodeText:
      "Prośba o ten link pochodzi z innej przeglądarki. Aby zalogować się tutaj, wpisz kod z tego samego e-maila.",
    codeMissing: "Bez kodu ten link działa tylko w przeglądarce, z której pochodzi prośba o niego.",
    noCode: "W moim e\u2011mailu nie ma kodu",
    signedInAs: "Zalogowano jako {user}.",
    signedIn: "Zalogowano.",
    continueToSite: "Przejdź do {site}",
    continueButton: "Dalej",
    useAnotherAccount: "Użyj innego konta",
    continueAs: "Kontynuuj jako {user}",

    secondFactorHeading: "Jeszcze jeden krok",
    authenticatorText: "Wpisz kod, który pokazuje aplikacja uwierzytelniająca.",
    authenticatorCodeLabel: "Kod z aplikacji",
    recoveryCodeText: "Wpisz jeden z kodów odzyskiwania. Każdy działa tylko raz.",
    recoveryCodeLabel: "Kod odzyskiwania",
    useRecoveryCode: "Użyj kodu odzyskiwania",
    useAuthenticator: "Użyj aplikacji uwierzytelniającej",
    passkeyText: "Potwierdź swoją tożsamość kluczem dostępu.",
    usePasskey: "Użyj klucza dostępu",
    emailFactorText: "Wyślemy kod na adres {email}.",
    emailFactorSent: "Wysłaliśmy kod na adres {email}. Wpisz go tutaj.",
    sendCodeButton: "Wyślij kod",
    useEmailCode: "Otrzymaj kod e\u2011mailem",
    setUpEmailHeading: "Skonfiguruj kody wysyłane e\u2011mailem",
    addPasskeyText:
      "Klucz dostępu pozwala zalogować się odciskiem palca, twarzą lub kodem PIN urządzenia.",
    trustDevice: "Ufaj temu urządzeniu",
    cancelButton: "Anuluj",
    setUpFactorHeading: "Skonfiguruj aplikację uwierzytelniającą",
    setUpFactorText:
      "Zeskanuj ten kod aplikacją uwierzytelniającą na telefonie. Następnie wpisz kod, który pokazuje aplikacja.",
    qrCode: "Kod QR",
    setUpKeyText: "Jeśli nie możesz go zeskanować, wpisz ten klucz w aplikacji:",
    openAuthenticator: "Otwórz aplikację na tym urządzeniu",
    recoveryCodesHeading: "Zapisz kody odzyskiwania",
    recoveryCodesText:
      "Jeśli nie możesz użyć drugiego składnika, każdy z tych kodów zadziała zamiast niego jeden raz. Przechowuj je tam, gdzie tylko Ty możesz je znaleźć: nie zostaną wyświetlone ponownie.",
    codesSaved: "Kody są zapisane",

    signInEmailSubject: "Logowanie do {app}",
    signInEmailExpiry: "Link działa tylko raz. Czas ważności: {duration}.",
    signInEmailLinkHint: "Jeśli przycisk nie działa, skopiuj ten link do przeglądarki:",
    signInEmailCodeHint:
      "Jeśli logowanie rozpoczęto na innym urządzeniu lub w innej przeglądarce, wpisz tam ten kod:",
    signInEmailCodeExpiry:
      "Czas ważności kodu: {duration}. Nie podawaj go nikomu: nikt z {app} o niego nie poprosi.",
    signInEmailIgnore:
      "Jeśli ta prośba o zalogowanie nie pochodzi od Ciebie, zignoruj ten e-mail. Nie przesyłaj go dalej: każdy, kto ma ten link, może zalogować się jako Ty.",

    codeEmailSubject: "Twój kod do {app}",
    codeEmailText: "Wpisz ten kod na stronie, która o niego prosi:",
    codeEmailIgnore:
      "Jeśli ta prośba o kod nie pochodzi od Ciebie, ktoś może próbować zalogować się jako Ty. Nie udostępniaj go i sprawdź zabezpieczenia konta.",
    noticeSubject: "Zmiana na Twoim koncie w {app}",
    noticeAppAdded: "Do Twojego konta dodano aplikację uwierzytelniającą.",
    noticeAppRemoved: "Z Twojego konta usunięto aplikację uwierzytelniającą.",
    noticeRecoveryCodesAdded: "Twoje konto ma nowe kody odzyskiwania. Poprzednie już nie działają.",
    noticeRecoveryCodesRemoved: "Usunięto kody odzyskiwania Twojego konta.",
    noticeEmailCodesAdded: "Na Twoim koncie włączono kody wysyłane e\u2011mailem.",
    noticeEmailCodesRemoved: "Na Twoim koncie wyłączono kody wysyłane e\u2011mailem.",
    noticePasskeyAdded: "Do Twojego konta dodano klucz dostępu.",
    noticePasskeyRemoved: "Z Twojego konta usunięto klucz dostępu.",
    noticePasskeyRenamed: "Zmieniono nazwę klucza dostępu na Twoim koncie.",
    noticeHint:
      "Jeśli ta zmiana nie pochodzi od Ciebie, zaloguj się i od razu sprawdź zabezpieczenia konta.",

    homeLink: "Przejdź do strony głównej",
    backTo: "Wróć do {app}",
    logo: "Logo",
  },
}
export default polish
