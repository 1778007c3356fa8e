import type { Language } from "../messages/messages.ts"

/** Dutch. */
const dutch: Language = {
  tag: "nl",
  messages: {
    signInHeading: "Inloggen",
    continueTo: "om door te gaan naar {site}",
    signInTo: "Inloggen bij {site}",
    signInWith: "Inloggen met {provider}",
    signInButton: "Inloggen",
    signInWithEmail: "Stuur me een inloglink",
    signInByEmail: "Inloggen met e-mail",
    signInByPassword: "Inloggen met wachtwoord",
    signInWithPasskey: "Inloggen met een toegangssleutel",
    lastUsed: "Laatst gebruikt",
    rememberMe: "Ingelogd blijven",
    newHere: "Nieuw hier?",
    createAccount: "Account maken",
    createPasskey: "Toegangssleutel maken",
    emailLabel: "E-mailadres",
    nameLabel: "Naam",
    or: "of",
    passkeysUnsupported:
      "Deze browser ondersteunt geen toegangssleutels. Log op een andere manier in.",
    passkeysNeedJavaScript: "Zet JavaScript aan om in te loggen met een toegangssleutel.",
    noSignInMethods:
      "Inloggen is nog niet mogelijk. Als je deze site beheert, stel dan een provider in.",

    passkeyExists: "Op dit apparaat staat al een toegangssleutel voor jou. Log daarmee in.",
    passkeyCancelled: "Er is geen toegangssleutel gebruikt. Probeer het opnieuw wanneer je wilt.",
    passkeyInvalidInput: "Controleer wat je hebt ingevuld en probeer het opnieuw.",
    passkeyFailed:
      "De toegangssleutel werkte niet. Probeer het opnieuw of log op een andere manier in.",
    passkeyNotVerified:
      "Je toegangssleutel kon niet worden geverifieerd. Probeer het opnieuw of log op een andere manier in.",

    signInFailed: "Inloggen is mislukt. Probeer het opnieuw of log in met een ander account.",
    signInNotCompleted:
      "Het inloggen is niet voltooid. Probeer het opnieuw of log op een andere manier in.",
    signInExpiredHeading: "Deze inlogpoging is verlopen",
    signInExpired: "Het duurde te lang, was al voltooid of is in een andere browser begonnen.",
    accountNotLinked:
      "Dit account is niet aan jouw account gekoppeld. Log in met het account dat je oorspronkelijk hebt gebruikt.",
    emailNotSent:
      "De e-mail kon niet worden verstuurd. Controleer het adres en probeer het opnieuw.",
    invalidEmail: "Vul één geldig e-mailadres in.",
    incorrectDetails:
      "De inloggegevens kloppen niet. Controleer wat je hebt ingevuld en probeer het opnieuw.",
    accessDeniedHeading: "Geen toegang",
    accessDenied: "Je hebt geen toestemming om in te loggen. Probeer een ander account.",
    linkExpiredHeading: "Deze link werkt niet meer",
    linkExpired: "Deze inloglink is verlopen of al gebruikt. Vraag een nieuwe aan.",
    tooManyAttemptsHeading: "Te veel pogingen",
    tooManyAttempts: "Te veel pogingen. Wacht een paar minuten en probeer het opnieuw.",
    waitAndTryAgain: "Wacht een paar minuten en probeer het opnieuw.",
    unavailableHeading: "Inloggen is niet beschikbaar",
    unavailable: "Inloggen is op dit moment niet mogelijk. Probeer het later opnieuw.",
    checkServerLog: "Als je deze site beheert, bekijk dan het serverlogboek.",
    signInRequired: "Log in om deze pagina te bekijken.",
    pageExpired: "Deze pagina stond te lang open of ook in een ander tabblad. Probeer het opnieuw.",
    unknownErrorHeading: "Er is iets misgegaan",
    unknownError: "Je verzoek kon niet worden voltooid. Probeer het opnieuw.",
    tryAgain: "Opnieuw proberen",
    notFoundHeading: "Pagina niet gevonden",
    notFound: "Op dit adres is geen pagina.",

    signOutHeading: "Uitloggen",
    signOutQuestion: "Wil je uitloggen?",
    signOutButton: "Uitloggen",
    staySignedIn: "Ingelogd blijven",
    signOutFailedHeading: "Je bent nog ingelogd",
    signOutFailed: "Uitloggen lukt nu niet. Probeer het zo opnieuw.",

    checkEmailHeading: "Bekijk je e-mail",
    checkEmailText: "Er is een inloglink onderweg. Komt hij niet aan, kijk dan in je spammap.",
    emailSentTo: "We hebben een inloglink gestuurd naar {email}.",
    linkAndCodeSentTo:
      "We hebben een inloglink en een code gestuurd naar {email}. Open de link in deze browser of vul de code hier in.",
    checkSpamFolder: "Komt de e-mail niet aan, kijk dan in je spammap.",
    resendEmail: "Nog een e-mail sturen",
    useAnotherEmail: "Ander adres gebruiken",
    emailSentAgain: "We hebben nog een e-mail gestuurd. Gebruik de nieuwste.",
    emailSentRecently:
      "We hebben net een e-mail gestuurd. Wacht een paar seconden voordat je het opnieuw probeert.",
    tooManyEmails:
      "Er zijn te veel e-mails aangevraagd. Wacht een paar minuten en probeer het opnieuw.",
    codeLabel: "Code uit de e-mail",
    codeIncorrect: "Deze code klopt niet. Controleer wat je hebt ingevuld en probeer het opnieuw.",
    codeAttemptsLeft: "Resterende pogingen: {count}.",
    codeInvalid: "Deze code is niet meer geldig. Vraag een nieuwe e-mail aan.",
    linkOpened: "Heb je de link in een ander tabblad geopend?",
    notSignedInYet: "Je bent nog niet ingelogd. Open eerst de link in de e-mail.",

    confirmHeading: "Bevestig dat je wilt inloggen",
    confirmText:
      "Heb je deze link niet aangevraagd, sluit dan deze pagina: je wordt niet ingelogd.",
    enterCodeHeading: "Vul de code uit de e-mail in",
    enterCodeText:
      "Deze link is in een andere browser aangevraagd. Vul de code uit dezelfde e-mail in om hier in te loggen.",
    codeMissing: "Zonder de code werkt deze link alleen in de browser waarin hij is aangevraagd.",
    noCode: "Er staat geen code in mijn e-mail",
    signedInAs: "Je bent ingelogd als {user}.",
    signedIn: "Je bent ingelogd.",
    continueToSite: "Doorgaan naar {site}",
    continueButton: "Doorgaan",
    useAnotherAccount: "Ander account gebruiken",
    continueAs: "Doorgaan als {user}",

    secondFactorHeading: "Nog één stap",
    authenticatorText: "Vul de code in die je authenticator-app toont.",
    authenticatorCodeLabel: "Code uit de app",
    recoveryCodeText: "Vul een van je herstelcodes in. Elke code werkt één keer.",
    recoveryCodeLabel: "Herstelcode",
    useRecoveryCode: "Herstelcode gebruiken",
    useAuthenticator: "Authenticator-app gebruiken",
    passkeyText: "Bevestig met je toegangssleutel dat jij het bent.",
    usePasskey: "Toegangssleutel gebruiken",
    emailFactorText: "We sturen een code naar {email}.",
    emailFactorSent: "We hebben een code gestuurd naar {email}. Vul die hier in.",
    sendCodeButton: "Code sturen",
    useEmailCode: "Code per e-mail ontvangen",
    setUpEmailHeading: "Codes per e-mail instellen",
    addPasskeyText:
      "Met een toegangssleutel log je in met je vingerafdruk, je gezicht of de pincode van je apparaat.",
    trustDevice: "Dit apparaat vertrouwen",
    cancelButton: "Annuleren",
    setUpFactorHeading: "Een authenticator-app instellen",
    setUpFactorText:
      "Scan deze code met een authenticator-app op je telefoon. Vul daarna de code in die de app toont.",
    qrCode: "QR-code",
    setUpKeyText: "Als je de code niet kunt scannen, vul je deze sleutel in de app in:",
    openAuthenticator: "Een app op dit apparaat openen",
    recoveryCodesHeading: "Bewaar je herstelcodes",
    recoveryCodesText:
      "Kun je je tweede factor niet gebruiken, dan werkt elk van deze codes één keer in plaats daarvan. Bewaar ze op een plek waar alleen jij ze kunt vinden: ze worden niet opnieuw getoond.",
    codesSaved: "Ik heb de codes bewaard",

    signInEmailSubject: "Inloggen bij {app}",
    signInEmailExpiry: "De link werkt één keer en verloopt over {duration}.",
    signInEmailLinkHint: "Werkt de knop niet, kopieer dan deze link naar je browser:",
    signInEmailCodeHint:
      "Ben je op een ander apparaat of in een andere browser begonnen met inloggen, vul deze code dan daar in:",
    signInEmailCodeExpiry:
      "De code verloopt over {duration}. Deel hem niet: niemand van {app} zal erom vragen.",
    signInEmailIgnore:
      "Heb je niet gevraagd om in te loggen, dan kun je deze e-mail negeren. Stuur hem niet door: iedereen met de link kan namens jou inloggen.",

    codeEmailSubject: "Je code voor {app}",
    codeEmailText: "Vul deze code in op de pagina die erom vraagt:",
    codeEmailIgnore:
      "Heb je niet om deze code gevraagd, dan probeert iemand anders misschien op je account in te loggen. Deel de code niet en controleer de beveiliging van je account.",
    noticeSubject: "Je account bij {app} is gewijzigd",
    noticeAppAdded: "Er is een authenticator-app aan je account toegevoegd.",
    noticeAppRemoved: "Er is een authenticator-app uit je account verwijderd.",
    noticeRecoveryCodesAdded: "Je account heeft nieuwe herstelcodes. De vorige werken niet meer.",
    noticeRecoveryCodesRemoved: "De herstelcodes van je account zijn verwijderd.",
    noticeEmailCodesAdded: "Codes per e-mail zijn ingeschakeld voor je account.",
    noticeEmailCodesRemoved: "Codes per e-mail zijn uitgeschakeld voor je account.",
    noticePasskeyAdded: "Er is een toegangssleutel aan je account toegevoegd.",
    noticePasskeyRemoved: "Er is een toegangssleutel uit je account verwijderd.",
    noticePasskeyRenamed: "De naam van een toegangssleutel van je account is gewijzigd.",
    noticeHint: "Was jij dit niet, log dan in en controleer meteen de beveiliging van je account.",

    homeLink: "Naar de startpagina",
    backTo: "Terug naar {app}",
    logo: "Logo",
  },
}
export default dutch
