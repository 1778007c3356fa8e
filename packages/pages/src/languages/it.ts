import type { Language } from "../messages/messages.ts"

/** Italian. */
const italian: Language = {
  tag: "it",
  messages: {
    signInHeading: "Accedi",
    continueTo: "per continuare su {site}",
    signInTo: "Accedi a {site}",
    signInWith: "Accedi con {provider}",
    signInButton: "Accedi",
    signInWithEmail: "Ricevi un link di accesso",
    signInByEmail: "Accedi con l’email",
    signInByPassword: "Accedi con la password",
    signInWithPasskey: "Accedi con una passkey",
    lastUsed: "Ultimo utilizzo",
    rememberMe: "Mantieni l’accesso",
    newHere: "È la prima volta qui?",
    createAccount: "Crea un account",
    createPasskey: "Crea una passkey",
    emailLabel: "Indirizzo email",
    nameLabel: "Nome",
    or: "oppure",
    passkeysUnsupported: "Questo browser non supporta le passkey. Accedi in un altro modo.",
    passkeysNeedJavaScript: "Per accedere con una passkey, attiva JavaScript.",
    noSignInMethods:
      "Non è ancora possibile accedere. Se gestisci questo sito, configura un provider.",

    passkeyExists: "Su questo dispositivo c’è già una tua passkey. Usala per accedere.",
    passkeyCancelled: "Non è stata usata alcuna passkey. Riprova quando vuoi.",
    passkeyInvalidInput: "Controlla i dati inseriti e riprova.",
    passkeyFailed: "La passkey non ha funzionato. Riprova o accedi in un altro modo.",
    passkeyNotVerified:
      "Non è stato possibile verificare la tua passkey. Riprova o accedi in un altro modo.",

    signInFailed: "Accesso non riuscito. Riprova o accedi con un altro account.",
    signInNotCompleted: "L’accesso non è stato completato. Riprova o accedi in un altro modo.",
    signInExpiredHeading: "Questo accesso è scaduto",
    signInExpired:
      "Ha richiesto troppo tempo, è già stato completato o è iniziato in un altro browser.",
    accountNotLinked:
      "Questo account non è collegato al tuo. Accedi con l’account che hai usato all’inizio.",
    emailNotSent: "Non è stato possibile inviare l’email. Controlla l’indirizzo e riprova.",
    invalidEmail: "Inserisci un solo indirizzo email valido.",
    incorrectDetails: "I dati di accesso non sono corretti. Controllali e riprova.",
    accessDeniedHeading: "Accesso negato",
    accessDenied: "Non hai l’autorizzazione ad accedere. Prova con un altro account.",
    linkExpiredHeading: "Questo link non è più valido",
    linkExpired: "Questo link di accesso è scaduto o è già stato usato. Richiedine uno nuovo.",
    tooManyAttemptsHeading: "Troppi tentativi",
    tooManyAttempts: "Troppi tentativi. Attendi qualche minuto e riprova.",
    waitAndTryAgain: "Attendi qualche minuto e riprova.",
    unavailableHeading: "Accesso non disponibile",
    unavailable: "Al momento non è possibile accedere. Riprova più tardi.",
    checkServerLog: "Se gestisci questo sito, controlla il log del server.",
    signInRequired: "Accedi per vedere questa pagina.",
    pageExpired:
      "Questa pagina è rimasta aperta troppo a lungo o anche in un’altra scheda. Riprova.",
    unknownErrorHeading: "Qualcosa è andato storto",
    unknownError: "Non è stato possibile completare la richiesta. Riprova.",
    tryAgain: "Riprova",
    notFoundHeading: "Pagina non trovata",
    notFound: "A questo indirizzo non c’è alcuna pagina.",

    signOutHeading: "Esci",
    signOutQuestion: "Vuoi uscire dal tuo account?",
    signOutButton: "Esci",
    staySignedIn: "Mantieni l’accesso",
    signOutFailedHeading: "L’accesso è ancora attivo",
    signOutFailed: "Al momento non è possibile uscire. Riprova tra poco.",

    checkEmailHeading: "Controlla la tua email",
    checkEmailText:
      "Un link di accesso è in arrivo. Se non lo ricevi, controlla la cartella dello spam.",
    emailSentTo: "Abbiamo inviato un link di accesso a {email}.",
    linkAndCodeSentTo:
      "Abbiamo inviato un link di accesso e un codice a {email}. Apri il link in questo browser oppure inserisci qui il codice.",
    checkSpamFolder: "Se non ricevi l’email, controlla la cartella dello spam.",
    resendEmail: "Invia un’altra email",
    useAnotherEmail: "Usa un altro indirizzo",
    emailSentAgain: "Abbiamo inviato un’altra email. Usa la più recente.",
    emailSentRecently:
      "Abbiamo appena inviato un’email. Attendi qualche secondo prima di riprovare.",
    tooManyEmails: "Sono state richieste troppe email. Attendi qualche minuto e riprova.",
    codeLabel: "Codice ricevuto via email",
    codeIncorrect: "Il codice non è corretto. Controllalo e riprova.",
    codeAttemptsLeft: "Tentativi rimasti: {count}.",
    codeInvalid: "Questo codice non è più valido. Richiedi un’altra email.",
    linkOpened: "Hai aperto il link in un’altra scheda?",
    notSignedInYet: "Non hai ancora effettuato l’accesso. Apri prima il link contenuto nell’email.",

    confirmHeading: "Conferma l’accesso",
    confirmText:
      "Se non hai richiesto questo link, chiudi questa pagina: non verrà effettuato alcun accesso.",
    enterCodeHeading: "Inserisci il codice ricevuto via email",
    enterCodeText:
      "Questo link è stato richiesto in un altro browser. Per accedere qui, inserisci il codice contenuto nella stessa email.",
    codeMissing: "Senza il codice, questo link funziona solo nel browser in cui è stato richiesto.",
    noCode: "La mia email non contiene un codice",
    signedInAs: "Hai effettuato l’accesso come {user}.",
    signedIn: "Hai effettuato l’accesso.",
    continueToSite: "Continua su {site}",
    continueButton: "Continua",
    useAnotherAccount: "Usa un altro account",
    continueAs: "Continua come {user}",

    secondFactorHeading: "Ancora un passaggio",
    authenticatorText: "Inserisci il codice mostrato dall’app di autenticazione.",
    authenticatorCodeLabel: "Codice dell’app",
    recoveryCodeText: "Inserisci uno dei tuoi codici di recupero. Ognuno vale una sola volta.",
    recoveryCodeLabel: "Codice di recupero",
    useRecoveryCode: "Usa un codice di recupero",
    useAuthenticator: "Usa l’app di autenticazione",
    passkeyText: "Conferma la tua identità con la passkey.",
    usePasskey: "Usa una passkey",
    emailFactorText: "Invieremo un codice a {email}.",
    emailFactorSent: "Abbiamo inviato un codice a {email}. Inseriscilo qui.",
    sendCodeButton: "Invia il codice",
    useEmailCode: "Ricevi un codice via email",
    setUpEmailHeading: "Configura i codici via email",
    addPasskeyText: "Con una passkey accedi con l’impronta, il volto o il PIN del dispositivo.",
    trustDevice: "Considera attendibile questo dispositivo",
    cancelButton: "Annulla",
    setUpFactorHeading: "Configura un’app di autenticazione",
    setUpFactorText:
      "Scansiona questo codice con un’app di autenticazione sul telefono. Poi inserisci il codice mostrato dall’app.",
    qrCode: "Codice QR",
    setUpKeyText: "Se non puoi scansionarlo, inserisci questa chiave nell’app:",
    openAuthenticator: "Apri un’app su questo dispositivo",
    recoveryCodesHeading: "Salva i codici di recupero",
    recoveryCodesText:
      "Se non puoi usare il secondo fattore, ognuno di questi codici vale una volta al suo posto. Conservali dove solo tu puoi trovarli: non verranno mostrati di nuovo.",
    codesSaved: "Ho salvato i codici",

    signInEmailSubject: "Accedi a {app}",
    signInEmailExpiry: "Il link funziona una sola volta e scade tra {duration}.",
    signInEmailLinkHint: "Se il pulsante non funziona, copia questo link nel browser:",
    signInEmailCodeHint:
      "Se hai iniziato l’accesso su un altro dispositivo o in un altro browser, inserisci lì questo codice:",
    signInEmailCodeExpiry:
      "Il codice scade tra {duration}. Non condividerlo: nessuno di {app} te lo chiederà.",
    signInEmailIgnore:
      "Se non hai chiesto di accedere, puoi ignorare questa email. Non inoltrarla: chiunque abbia il link può accedere a tuo nome.",

    codeEmailSubject: "Il tuo codice per {app}",
    codeEmailText: "Inserisci questo codice nella pagina che lo richiede:",
    codeEmailIgnore:
      "Se non hai chiesto questo codice, forse qualcuno sta cercando di accedere al tuo account. Non condividere il codice e controlla la sicurezza dell’account.",
    noticeSubject: "Il tuo account {app} è stato modificato",
    noticeAppAdded: "Un’app di autenticazione è stata aggiunta al tuo account.",
    noticeAppRemoved: "Un’app di autenticazione è stata rimossa dal tuo account.",
    noticeRecoveryCodesAdded:
      "Il tuo account ha nuovi codici di recupero. Quelli precedenti non valgono più.",
    noticeRecoveryCodesRemoved: "I codici di recupero del tuo account sono stati rimossi.",
    noticeEmailCodesAdded: "I codici via email sono stati attivati per il tuo account.",
    noticeEmailCodesRemoved: "I codici via email sono stati disattivati per il tuo account.",
    noticePasskeyAdded: "Una passkey è stata aggiunta al tuo account.",
    noticePasskeyRemoved: "Una passkey è stata rimossa dal tuo account.",
    noticePasskeyRenamed: "Una passkey del tuo account è stata rinominata.",
    noticeHint:
      "Se non riconosci questa modifica, accedi e controlla subito la sicurezza del tuo account.",

    homeLink: "Vai alla pagina iniziale",
    backTo: "Torna a {app}",
    logo: "Logo",
  },
}
export default italian
