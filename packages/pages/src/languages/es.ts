import type { Language } from "../messages/messages.ts"

/** Spanish. */
const spanish: Language = {
  tag: "es",
  messages: {
    signInHeading: "Iniciar sesión",
    continueTo: "para continuar en {site}",
    signInTo: "Inicia sesión en {site}",
    signInWith: "Iniciar sesión con {provider}",
    signInButton: "Iniciar sesión",
    signInWithEmail: "Enviarme un enlace de acceso",
    signInByEmail: "Iniciar sesión con correo electrónico",
    signInByPassword: "Iniciar sesión con contraseña",
    signInWithPasskey: "Iniciar sesión con llave de acceso",
    lastUsed: "Último uso",
    rememberMe: "Mantener la sesión iniciada",
    newHere: "¿Es tu primera vez aquí?",
    createAccount: "Crear una cuenta",
    createPasskey: "Crear una llave de acceso",
    emailLabel: "Correo electrónico",
    nameLabel: "Nombre",
    or: "o",
    passkeysUnsupported: "Este navegador no admite llaves de acceso. Inicia sesión de otra manera.",
    passkeysNeedJavaScript: "Para iniciar sesión con una llave de acceso, activa JavaScript.",
    noSignInMethods:
      "Todavía no se puede iniciar sesión. Si administras este sitio, configura un proveedor.",

    passkeyExists: "Este dispositivo ya tiene una llave de acceso tuya. Inicia sesión con ella.",
    passkeyCancelled: "No se usó ninguna llave de acceso. Inténtalo de nuevo cuando quieras.",
    passkeyInvalidInput: "Revisa los datos e inténtalo de nuevo.",
    passkeyFailed:
      "La llave de acceso no funcionó. Inténtalo de nuevo o inicia sesión de otra manera.",
    passkeyNotVerified:
      "No se pudo verificar tu llave de acceso. Inténtalo de nuevo o inicia sesión de otra manera.",

    signInFailed: "No se pudo iniciar sesión. Inténtalo de nuevo o inicia sesión con otra cuenta.",
    signInNotCompleted:
      "No se completó el inicio de sesión. Inténtalo de nuevo o inicia sesión de otra manera.",
    signInExpiredHeading: "Este inicio de sesión caducó",
    signInExpired: "Tardó demasiado, ya se había completado o comenzó en otro navegador.",
    accountNotLinked:
      "Esta cuenta no está vinculada a la tuya. Inicia sesión con la cuenta que usaste al principio.",
    emailNotSent: "No se pudo enviar el correo. Revisa la dirección e inténtalo de nuevo.",
    invalidEmail: "Escribe una sola dirección de correo válida.",
    incorrectDetails: "Los datos de acceso no son correctos. Revísalos e inténtalo de nuevo.",
    accessDeniedHeading: "Acceso denegado",
    accessDenied: "No tienes permiso para iniciar sesión. Prueba con otra cuenta.",
    linkExpiredHeading: "Este enlace ya no funciona",
    linkExpired: "Este enlace de acceso caducó o ya se utilizó. Solicita uno nuevo.",
    tooManyAttemptsHeading: "Demasiados intentos",
    tooManyAttempts: "Demasiados intentos. Espera unos minutos e inténtalo de nuevo.",
    waitAndTryAgain: "Espera unos minutos e inténtalo de nuevo.",
    unavailableHeading: "Inicio de sesión no disponible",
    unavailable: "El inicio de sesión no está disponible en este momento. Inténtalo más tarde.",
    checkServerLog: "Si administras este sitio, consulta el registro del servidor.",
    signInRequired: "Inicia sesión para ver esta página.",
    pageExpired:
      "Esta página estuvo abierta demasiado tiempo o también en otra pestaña. Inténtalo de nuevo.",
    unknownErrorHeading: "Algo salió mal",
    unknownError: "No se pudo completar la solicitud. Inténtalo de nuevo.",
    tryAgain: "Intentar de nuevo",
    notFoundHeading: "Página no encontrada",
    notFound: "No hay ninguna página en esta dirección.",

    signOutHeading: "Cerrar sesión",
    signOutQuestion: "¿Quieres cerrar la sesión?",
    signOutButton: "Cerrar sesión",
    staySignedIn: "Mantener la sesión iniciada",
    signOutFailedHeading: "La sesión sigue iniciada",
    signOutFailed:
      "Ahora mismo no se puede cerrar la sesión. Inténtalo de nuevo dentro de un momento.",

    checkEmailHeading: "Revisa tu correo",
    checkEmailText:
      "Hay un enlace de acceso en camino. Si no llega, mira en la carpeta de correo no deseado.",
    emailSentTo: "Enviamos un enlace de acceso a {email}.",
    linkAndCodeSentTo:
      "Enviamos un enlace de acceso y un código a {email}. Abre el enlace en este navegador o escribe aquí el código.",
    checkSpamFolder: "Si el correo no llega, mira en la carpeta de correo no deseado.",
    resendEmail: "Enviar otro correo",
    useAnotherEmail: "Usar otra dirección",
    emailSentAgain: "Enviamos otro correo. Usa el más reciente.",
    emailSentRecently:
      "Acabamos de enviar un correo. Espera unos segundos antes de intentarlo de nuevo.",
    tooManyEmails: "Se solicitaron demasiados correos. Espera unos minutos e inténtalo de nuevo.",
    codeLabel: "Código del correo",
    codeIncorrect: "El código no es correcto. Revísalo e inténtalo de nuevo.",
    codeAttemptsLeft: "Intentos restantes: {count}.",
    codeInvalid: "Este código ya no es válido. Solicita otro correo.",
    linkOpened: "¿Abriste el enlace en otra pestaña?",
    notSignedInYet: "Todavía no has iniciado sesión. Abre primero el enlace del correo.",

    confirmHeading: "Confirma el inicio de sesión",
    confirmText: "Si no solicitaste este enlace, cierra esta página: no se iniciará sesión.",
    enterCodeHeading: "Escribe el código del correo",
    enterCodeText:
      "Este enlace se solicitó en otro navegador. Para iniciar sesión aquí, escribe el código del mismo correo.",
    codeMissing: "Sin el código, este enlace solo funciona en el navegador en el que se solicitó.",
    noCode: "Mi correo no tiene código",
    signedInAs: "Has iniciado sesión como {user}.",
    signedIn: "Has iniciado sesión.",
    continueToSite: "Continuar a {site}",
    continueButton: "Continuar",
    useAnotherAccount: "Usar otra cuenta",
    continueAs: "Continuar como {user}",

    secondFactorHeading: "Un paso más",
    authenticatorText: "Escribe el código que muestra tu aplicación de autenticación.",
    authenticatorCodeLabel: "Código de la aplicación",
    recoveryCodeText: "Escribe uno de tus códigos de recuperación. Cada uno sirve una sola vez.",
    recoveryCodeLabel: "Código de recuperación",
    useRecoveryCode: "Usar un código de recuperación",
    useAuthenticator: "Usar la aplicación de autenticación",
    passkeyText: "Confirma con tu llave de acceso que eres tú.",
    usePasskey: "Usar una llave de acceso",
    emailFactorText: "Enviaremos un código a {email}.",
    emailFactorSent: "Enviamos un código a {email}. Escríbelo aquí.",
    sendCodeButton: "Enviar el código",
    useEmailCode: "Recibir un código por correo",
    setUpEmailHeading: "Configurar códigos por correo",
    addPasskeyText:
      "Con una llave de acceso inicias sesión con tu huella, tu cara o el PIN de tu dispositivo.",
    trustDevice: "Confiar en este dispositivo",
    cancelButton: "Cancelar",
    setUpFactorHeading: "Configurar una aplicación de autenticación",
    setUpFactorText:
      "Escanea este código con una aplicación de autenticación en tu teléfono. Después, escribe el código que muestra la aplicación.",
    qrCode: "Código QR",
    setUpKeyText: "Si no puedes escanearlo, escribe esta clave en la aplicación:",
    openAuthenticator: "Abrir una aplicación en este dispositivo",
    recoveryCodesHeading: "Guarda tus códigos de recuperación",
    recoveryCodesText:
      "Si no puedes usar tu segundo factor, cada uno de estos códigos sirve una vez en su lugar. Guárdalos donde solo tú puedas encontrarlos: no se volverán a mostrar.",
    codesSaved: "He guardado los códigos",

    signInEmailSubject: "Inicia sesión en {app}",
    signInEmailExpiry: "El enlace solo funciona una vez y caduca en {duration}.",
    signInEmailLinkHint: "Si el botón no funciona, copia este enlace en tu navegador:",
    signInEmailCodeHint:
      "Si empezaste a iniciar sesión en otro dispositivo o en otro navegador, escribe allí este código:",
    signInEmailCodeExpiry:
      "El código caduca en {duration}. No lo compartas: nadie de {app} te lo pedirá.",
    signInEmailIgnore:
      "Si no pediste iniciar sesión, puedes ignorar este correo. No lo reenvíes: cualquiera que tenga el enlace puede iniciar sesión en tu nombre.",

    codeEmailSubject: "Tu código para {app}",
    codeEmailText: "Escribe este código en la página que lo pide:",
    codeEmailIgnore:
      "Si no pediste este código, puede que otra persona esté intentando iniciar sesión en tu cuenta. No lo compartas y revisa la seguridad de la cuenta.",
    noticeSubject: "Tu cuenta de {app} ha cambiado",
    noticeAppAdded: "Se añadió una aplicación de autenticación a tu cuenta.",
    noticeAppRemoved: "Se eliminó una aplicación de autenticación de tu cuenta.",
    noticeRecoveryCodesAdded:
      "Tu cuenta tiene códigos de recuperación nuevos. Los anteriores ya no sirven.",
    noticeRecoveryCodesRemoved: "Se eliminaron los códigos de recuperación de tu cuenta.",
    noticeEmailCodesAdded: "Se activaron los códigos por correo en tu cuenta.",
    noticeEmailCodesRemoved: "Se desactivaron los códigos por correo en tu cuenta.",
    noticePasskeyAdded: "Se añadió una llave de acceso a tu cuenta.",
    noticePasskeyRemoved: "Se eliminó una llave de acceso de tu cuenta.",
    noticePasskeyRenamed: "Se cambió el nombre de una llave de acceso de tu cuenta.",
    noticeHint: "Si no fuiste tú, inicia sesión y revisa ahora la seguridad de tu cuenta.",

    homeLink: "Ir a la página de inicio",
    backTo: "Volver a {app}",
    logo: "Logotipo",
  },
}
export default spanish
