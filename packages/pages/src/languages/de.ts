import type { Language } from "../messages/messages.ts"

/** German. */
const german: Language = {
  tag: "de",
  messages: {
    signInHeading: "Anmelden",
    continueTo: "um mit {site} fortzufahren",
    signInTo: "Bei {site} anmelden",
    signInWith: "Mit {provider} anmelden",
    signInButton: "Anmelden",
    signInWithEmail: "Anmeldelink senden",
    signInByEmail: "Per E-Mail anmelden",
    signInByPassword: "Mit Passwort anmelden",
    signInWithPasskey: "Mit Passkey anmelden",
    lastUsed: "Zuletzt verwendet",
    rememberMe: "Angemeldet bleiben",
    newHere: "Neu hier?",
    createAccount: "Konto erstellen",
    createPasskey: "Passkey erstellen",
    emailLabel: "E-Mail-Adresse",
    nameLabel: "Name",
    or: "oder",
    passkeysUnsupported:
      "Dieser Browser unterstützt keine Passkeys. Melden Sie sich auf andere Weise an.",
    passkeysNeedJavaScript: "Um sich mit einem Passkey anzumelden, aktivieren Sie JavaScript.",
    noSignInMethods:
      "Eine Anmeldung ist noch nicht möglich. Wenn Sie diese Website betreiben, richten Sie einen Anbieter ein.",

    passkeyExists:
      "Auf diesem Gerät ist bereits ein Passkey für Sie gespeichert. Melden Sie sich damit an.",
    passkeyCancelled:
      "Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, wenn Sie so weit sind.",
    passkeyInvalidInput: "Prüfen Sie Ihre Eingaben und versuchen Sie es noch einmal.",
    passkeyFailed:
      "Der Passkey hat nicht funktioniert. Versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.",
    passkeyNotVerified:
      "Ihr Passkey konnte nicht bestätigt werden. Versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.",

    signInFailed:
      "Die Anmeldung ist fehlgeschlagen. Versuchen Sie es noch einmal oder melden Sie sich mit einem anderen Konto an.",
    signInNotCompleted:
      "Die Anmeldung wurde nicht abgeschlossen. Versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.",
    signInExpiredHeading: "Diese Anmeldung ist abgelaufen",
    signInExpired:
      "Sie hat zu lange gedauert, wurde schon abgeschlossen oder in einem anderen Browser begonnen.",
    accountNotLinked:
      "Dieses Konto ist nicht mit Ihrem verknüpft. Melden Sie sich mit dem Konto an, das Sie ursprünglich verwendet haben.",
    emailNotSent:
      "Die E-Mail konnte nicht gesendet werden. Prüfen Sie die Adresse und versuchen Sie es noch einmal.",
    invalidEmail: "Geben Sie eine einzelne, gültige E-Mail-Adresse ein.",
    incorrectDetails:
      "Die Anmeldedaten sind falsch. Prüfen Sie Ihre Eingaben und versuchen Sie es noch einmal.",
    accessDeniedHeading: "Zugriff verweigert",
    accessDenied:
      "Sie sind nicht berechtigt, sich anzumelden. Versuchen Sie es mit einem anderen Konto.",
    linkExpiredHeading: "Dieser Link ist nicht mehr gültig",
    linkExpired:
      "Dieser Anmeldelink ist abgelaufen oder wurde bereits verwendet. Fordern Sie einen neuen an.",
    tooManyAttemptsHeading: "Zu viele Versuche",
    tooManyAttempts:
      "Zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es dann noch einmal.",
    waitAndTryAgain: "Warten Sie einige Minuten und versuchen Sie es dann noch einmal.",
    unavailableHeading: "Anmeldung nicht verfügbar",
    unavailable: "Die Anmeldung ist gerade nicht verfügbar. Versuchen Sie es später noch einmal.",
    checkServerLog: "Wenn Sie diese Website betreiben, sehen Sie im Serverprotokoll nach.",
    signInRequired: "Melden Sie sich an, um diese Seite zu sehen.",
    pageExpired:
      "Diese Seite war zu lange oder auch in einem anderen Tab geöffnet. Versuchen Sie es noch einmal.",
    unknownErrorHeading: "Etwas ist schiefgelaufen",
    unknownError: "Ihre Anfrage konnte nicht abgeschlossen werden. Versuchen Sie es noch einmal.",
    tryAgain: "Noch einmal versuchen",
    notFoundHeading: "Seite nicht gefunden",
    notFound: "Unter dieser Adresse gibt es keine Seite.",

    signOutHeading: "Abmelden",
    signOutQuestion: "Möchten Sie sich abmelden?",
    signOutButton: "Abmelden",
    staySignedIn: "Angemeldet bleiben",
    signOutFailedHeading: "Sie sind noch angemeldet",
    signOutFailed: "Die Abmeldung ist gerade nicht möglich. Versuchen Sie es gleich noch einmal.",

    checkEmailHeading: "Sehen Sie in Ihrem Posteingang nach",
    checkEmailText:
      "Ein Anmeldelink ist unterwegs. Wenn er nicht ankommt, sehen Sie im Spam-Ordner nach.",
    emailSentTo: "Wir haben einen Anmeldelink an {email} gesendet.",
    linkAndCodeSentTo:
      "Wir haben einen Anmeldelink und einen Code an {email} gesendet. Öffnen Sie den Link in diesem Browser oder geben Sie den Code hier ein.",
    checkSpamFolder: "Wenn die E-Mail nicht ankommt, sehen Sie im Spam-Ordner nach.",
    resendEmail: "Noch eine E-Mail senden",
    useAnotherEmail: "Andere Adresse verwenden",
    emailSentAgain: "Wir haben noch eine E-Mail gesendet. Verwenden Sie die neueste.",
    emailSentRecently:
      "Wir haben eben erst eine E-Mail gesendet. Warten Sie ein paar Sekunden, bevor Sie es noch einmal versuchen.",
    tooManyEmails:
      "Es wurden zu viele E-Mails angefordert. Warten Sie einige Minuten und versuchen Sie es dann noch einmal.",
    codeLabel: "Code aus der E-Mail",
    codeIncorrect:
      "Dieser Code ist falsch. Prüfen Sie Ihre Eingabe und versuchen Sie es noch einmal.",
    codeAttemptsLeft: "Verbleibende Versuche: {count}.",
    codeInvalid: "Dieser Code ist nicht mehr gültig. Fordern Sie eine neue E-Mail an.",
    linkOpened: "Haben Sie den Link in einem anderen Tab geöffnet?",
    notSignedInYet: "Sie sind noch nicht angemeldet. Öffnen Sie zuerst den Link in der E-Mail.",

    confirmHeading: "Anmeldung bestätigen",
    confirmText:
      "Wenn Sie diesen Link nicht angefordert haben, schließen Sie diese Seite: Sie werden dann nicht angemeldet.",
    enterCodeHeading: "Geben Sie den Code aus der E-Mail ein",
    enterCodeText:
      "Dieser Link wurde in einem anderen Browser angefordert. Um sich hier anzumelden, geben Sie den Code aus derselben E-Mail ein.",
    codeMissing:
      "Ohne den Code funktioniert dieser Link nur in dem Browser, in dem er angefordert wurde.",
    noCode: "Meine E-Mail enthält keinen Code",
    signedInAs: "Sie sind als {user} angemeldet.",
    signedIn: "Sie sind angemeldet.",
    continueToSite: "Weiter zu {site}",
    continueButton: "Weiter",
    useAnotherAccount: "Anderes Konto verwenden",
    continueAs: "Weiter als {user}",

    secondFactorHeading: "Noch ein Schritt",
    authenticatorText: "Geben Sie den Code ein, den Ihre Authenticator-App anzeigt.",
    authenticatorCodeLabel: "Code aus der App",
    recoveryCodeText: "Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder gilt nur einmal.",
    recoveryCodeLabel: "Wiederherstellungscode",
    useRecoveryCode: "Wiederherstellungscode verwenden",
    useAuthenticator: "Authenticator-App verwenden",
    passkeyText: "Bestätigen Sie mit Ihrem Passkey, dass Sie es sind.",
    usePasskey: "Passkey verwenden",
    emailFactorText: "Wir senden einen Code an {email}.",
    emailFactorSent: "Wir haben einen Code an {email} gesendet. Geben Sie ihn hier ein.",
    sendCodeButton: "Code senden",
    useEmailCode: "Code per E-Mail erhalten",
    setUpEmailHeading: "Codes per E-Mail einrichten",
    addPasskeyText:
      "Mit einem Passkey melden Sie sich per Fingerabdruck, Gesichtserkennung oder PIN Ihres Geräts an.",
    trustDevice: "Diesem Gerät vertrauen",
    cancelButton: "Abbrechen",
    setUpFactorHeading: "Authenticator-App einrichten",
    setUpFactorText:
      "Scannen Sie diesen Code mit einer Authenticator-App auf Ihrem Smartphone. Geben Sie dann den Code ein, den die App anzeigt.",
    qrCode: "QR-Code",
    setUpKeyText: "Wenn Sie ihn nicht scannen können, geben Sie diesen Schlüssel in der App ein:",
    openAuthenticator: "App auf diesem Gerät öffnen",
    recoveryCodesHeading: "Speichern Sie Ihre Wiederherstellungscodes",
    recoveryCodesText:
      "Wenn Sie den zweiten Faktor nicht verwenden können, gilt stattdessen jeder dieser Codes einmal. Bewahren Sie sie so auf, dass nur Sie sie finden: Sie werden nicht noch einmal angezeigt.",
    codesSaved: "Ich habe die Codes gespeichert",

    signInEmailSubject: "Bei {app} anmelden",
    signInEmailExpiry: "Der Link funktioniert nur einmal und ist {duration} gültig.",
    signInEmailLinkHint:
      "Wenn die Schaltfläche nicht funktioniert, kopieren Sie diesen Link in Ihren Browser:",
    signInEmailCodeHint:
      "Wenn Sie die Anmeldung auf einem anderen Gerät oder in einem anderen Browser begonnen haben, geben Sie dort diesen Code ein:",
    signInEmailCodeExpiry:
      "Der Code ist {duration} gültig. Geben Sie ihn nicht weiter: Niemand von {app} wird Sie danach fragen.",
    signInEmailIgnore:
      "Wenn Sie sich nicht anmelden wollten, können Sie diese E-Mail ignorieren. Leiten Sie sie nicht weiter: Wer den Link hat, kann sich in Ihrem Namen anmelden.",

    codeEmailSubject: "Ihr Code für {app}",
    codeEmailText: "Geben Sie diesen Code auf der Seite ein, die danach fragt:",
    codeEmailIgnore:
      "Wenn Sie diesen Code nicht angefordert haben, versucht vielleicht jemand, sich mit Ihrem Konto anzumelden. Geben Sie ihn nicht weiter und überprüfen Sie die Sicherheit Ihres Kontos.",
    noticeSubject: "Ihr Konto bei {app} wurde geändert",
    noticeAppAdded: "Ihrem Konto wurde eine Authenticator-App hinzugefügt.",
    noticeAppRemoved: "Eine Authenticator-App wurde aus Ihrem Konto entfernt.",
    noticeRecoveryCodesAdded:
      "Ihr Konto hat neue Wiederherstellungscodes. Die bisherigen sind nicht mehr gültig.",
    noticeRecoveryCodesRemoved: "Die Wiederherstellungscodes Ihres Kontos wurden entfernt.",
    noticeEmailCodesAdded: "Codes per E-Mail wurden für Ihr Konto aktiviert.",
    noticeEmailCodesRemoved: "Codes per E-Mail wurden für Ihr Konto deaktiviert.",
    noticePasskeyAdded: "Ihrem Konto wurde ein Passkey hinzugefügt.",
    noticePasskeyRemoved: "Ein Passkey wurde aus Ihrem Konto entfernt.",
    noticePasskeyRenamed: "Ein Passkey Ihres Kontos wurde umbenannt.",
    noticeHint:
      "Wenn Sie das nicht waren, melden Sie sich an und überprüfen Sie sofort die Sicherheit Ihres Kontos.",

    homeLink: "Zur Startseite",
    backTo: "Zurück zu {app}",
    logo: "Logo",
  },
}
export default german
