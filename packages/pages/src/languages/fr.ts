import type { Language } from "../messages/messages.ts"

/** French. */
const french: Language = {
  tag: "fr",
  messages: {
    signInHeading: "Connexion",
    continueTo: "pour continuer vers {site}",
    signInTo: "Connexion à {site}",
    signInWith: "Se connecter avec {provider}",
    signInButton: "Se connecter",
    signInWithEmail: "Recevoir un lien de connexion",
    signInByEmail: "Se connecter par e\u2011mail",
    signInByPassword: "Se connecter par mot de passe",
    signInWithPasskey: "Se connecter avec une clé d’accès",
    lastUsed: "Dernière utilisation",
    rememberMe: "Maintenir la connexion",
    newHere: "Première visite\u202f?",
    createAccount: "Créer un compte",
    createPasskey: "Créer une clé d’accès",
    emailLabel: "Adresse e-mail",
    nameLabel: "Nom",
    or: "ou",
    passkeysUnsupported:
      "Ce navigateur ne prend pas en charge les clés d’accès. Connectez-vous d’une autre façon.",
    passkeysNeedJavaScript: "Pour vous connecter avec une clé d’accès, activez JavaScript.",
    noSignInMethods:
      "La connexion n’est pas encore possible. Si vous gérez ce site, configurez un fournisseur.",

    passkeyExists:
      "Une clé d’accès est déjà enregistrée pour vous sur cet appareil. Connectez-vous avec celle-ci.",
    passkeyCancelled: "Aucune clé d’accès n’a été utilisée. Réessayez quand vous le souhaitez.",
    passkeyInvalidInput: "Vérifiez votre saisie, puis réessayez.",
    passkeyFailed:
      "La clé d’accès n’a pas fonctionné. Réessayez ou connectez-vous d’une autre façon.",
    passkeyNotVerified:
      "Votre clé d’accès n’a pas pu être vérifiée. Réessayez ou connectez-vous d’une autre façon.",

    signInFailed: "La connexion a échoué. Réessayez ou connectez-vous avec un autre compte.",
    signInNotCompleted:
      "La connexion n’a pas abouti. Réessayez ou connectez-vous d’une autre façon.",
    signInExpiredHeading: "Cette connexion a expiré",
    signInExpired:
      "Elle a pris trop de temps, est déjà terminée ou a commencé dans un autre navigateur.",
    accountNotLinked:
      "Ce compte n’est pas associé au vôtre. Connectez-vous avec le compte que vous aviez utilisé au départ.",
    emailNotSent: "L’e-mail n’a pas pu être envoyé. Vérifiez l’adresse, puis réessayez.",
    invalidEmail: "Saisissez une seule adresse e-mail valide.",
    incorrectDetails: "Identifiants incorrects. Vérifiez votre saisie, puis réessayez.",
    accessDeniedHeading: "Accès refusé",
    accessDenied: "Vous n’avez pas l’autorisation de vous connecter. Essayez avec un autre compte.",
    linkExpiredHeading: "Ce lien n’est plus valide",
    linkExpired: "Ce lien de connexion a expiré ou a déjà été utilisé. Demandez-en un nouveau.",
    tooManyAttemptsHeading: "Trop de tentatives",
    tooManyAttempts: "Trop de tentatives. Patientez quelques minutes, puis réessayez.",
    waitAndTryAgain: "Patientez quelques minutes, puis réessayez.",
    unavailableHeading: "Connexion indisponible",
    unavailable: "La connexion est indisponible pour le moment. Réessayez plus tard.",
    checkServerLog: "Si vous gérez ce site, consultez le journal du serveur.",
    signInRequired: "Connectez-vous pour voir cette page.",
    pageExpired:
      "Cette page est restée ouverte trop longtemps ou était aussi ouverte dans un autre onglet. Réessayez.",
    unknownErrorHeading: "Une erreur s’est produite",
    unknownError: "Votre demande n’a pas abouti. Réessayez.",
    tryAgain: "Réessayer",
    notFoundHeading: "Page introuvable",
    notFound: "Il n’y a pas de page à cette adresse.",

    signOutHeading: "Déconnexion",
    signOutQuestion: "Voulez-vous vous déconnecter\u202f?",
    signOutButton: "Se déconnecter",
    staySignedIn: "Ne pas se déconnecter",
    signOutFailedHeading: "Votre session est toujours ouverte",
    signOutFailed: "La déconnexion est impossible pour le moment. Réessayez dans un instant.",

    checkEmailHeading: "Consultez votre messagerie",
    checkEmailText:
      "Un lien de connexion est en route. S’il n’arrive pas, regardez dans vos courriers indésirables.",
    emailSentTo: "Nous avons envoyé un lien de connexion à {email}.",
    linkAndCodeSentTo:
      "Nous avons envoyé un lien de connexion et un code à {email}. Ouvrez le lien dans ce navigateur ou saisissez le code ici.",
    checkSpamFolder: "Si l’e-mail n’arrive pas, regardez dans vos courriers indésirables.",
    resendEmail: "Envoyer un autre e-mail",
    useAnotherEmail: "Utiliser une autre adresse",
    emailSentAgain: "Nous avons envoyé un autre e-mail. Utilisez le plus récent.",
    emailSentRecently:
      "Nous venons d’envoyer un e-mail. Patientez quelques secondes avant de réessayer.",
    tooManyEmails: "Trop d’e-mails ont été demandés. Patientez quelques minutes, puis réessayez.",
    codeLabel: "Code reçu par e-mail",
    codeIncorrect: "Ce code est incorrect. Vérifiez votre saisie, puis réessayez.",
    codeAttemptsLeft: "Tentatives restantes\u00a0: {count}.",
    codeInvalid: "Ce code n’est plus valide. Demandez un autre e-mail.",
    linkOpened: "Vous avez ouvert le lien dans un autre onglet\u202f?",
    notSignedInYet: "La connexion n’a pas encore eu lieu. Ouvrez d’abord le lien de l’e-mail.",

    confirmHeading: "Confirmez votre connexion",
    confirmText:
      "Si vous n’avez pas demandé ce lien, fermez cette page\u00a0: la connexion n’aura pas lieu.",
    enterCodeHeading: "Saisissez le code reçu par e-mail",
    enterCodeText:
      "Ce lien a été demandé dans un autre navigateur. Pour vous connecter ici, saisissez le code qui figure dans le même e-mail.",
    codeMissing: "Sans le code, ce lien ne fonctionne que dans le navigateur où il a été demandé.",
    noCode: "Mon e-mail ne contient pas de code",
    signedInAs: "Vous utilisez actuellement le compte {user}.",
    signedIn: "Votre session est ouverte.",
    continueToSite: "Continuer vers {site}",
    continueButton: "Continuer",
    useAnotherAccount: "Utiliser un autre compte",
    continueAs: "Continuer en tant que {user}",

    secondFactorHeading: "Encore une étape",
    authenticatorText: "Saisissez le code affiché par votre application d’authentification.",
    authenticatorCodeLabel: "Code de l’application",
    recoveryCodeText: "Saisissez l’un de vos codes de récupération. Chacun ne sert qu’une fois.",
    recoveryCodeLabel: "Code de récupération",
    useRecoveryCode: "Utiliser un code de récupération",
    useAuthenticator: "Utiliser l’application d’authentification",
    passkeyText: "Confirmez avec votre clé d’accès que c’est bien vous.",
    usePasskey: "Utiliser une clé d’accès",
    emailFactorText: "Nous enverrons un code à {email}.",
    emailFactorSent: "Nous avons envoyé un code à {email}. Saisissez-le ici.",
    sendCodeButton: "Envoyer le code",
    useEmailCode: "Recevoir un code par e-mail",
    setUpEmailHeading: "Configurer les codes par e-mail",
    addPasskeyText:
      "Avec une clé d’accès, vous vous connectez grâce à votre empreinte, à votre visage ou au code de votre appareil.",
    trustDevice: "Faire confiance à cet appareil",
    cancelButton: "Annuler",
    setUpFactorHeading: "Configurer une application d’authentification",
    setUpFactorText:
      "Scannez ce code avec une application d’authentification sur votre téléphone. Saisissez ensuite le code qu’elle affiche.",
    qrCode: "Code QR",
    setUpKeyText: "Si vous ne pouvez pas le scanner, saisissez cette clé dans l’application\u00a0:",
    openAuthenticator: "Ouvrir une application sur cet appareil",
    recoveryCodesHeading: "Enregistrez vos codes de récupération",
    recoveryCodesText:
      "Si vous ne pouvez pas utiliser votre second facteur, chacun de ces codes le remplace une fois. Conservez-les dans un endroit auquel personne d’autre n’a accès\u00a0: ils ne seront plus affichés.",
    codesSaved: "J’ai enregistré les codes",

    signInEmailSubject: "Connexion à {app}",
    signInEmailExpiry: "Le lien ne fonctionne qu’une fois et expire dans {duration}.",
    signInEmailLinkHint:
      "Si le bouton ne fonctionne pas, copiez ce lien dans votre navigateur\u00a0:",
    signInEmailCodeHint:
      "Si vous avez commencé à vous connecter sur un autre appareil ou dans un autre navigateur, saisissez-y ce code\u00a0:",
    signInEmailCodeExpiry:
      "Le code expire dans {duration}. Ne le communiquez pas\u00a0: personne chez {app} ne vous le demandera.",
    signInEmailIgnore:
      "Si vous n’avez pas demandé à vous connecter, vous pouvez ignorer cet e-mail. Ne le transférez pas\u00a0: toute personne ayant ce lien peut se connecter en votre nom.",

    codeEmailSubject: "Votre code pour {app}",
    codeEmailText: "Saisissez ce code sur la page qui le demande\u00a0:",
    codeEmailIgnore:
      "Si vous n’avez pas demandé ce code, quelqu’un essaie peut-être de se connecter à votre compte. Ne communiquez ce code à personne et vérifiez la sécurité de votre compte.",
    noticeSubject: "Votre compte {app} a été modifié",
    noticeAppAdded: "Une application d’authentification a été ajoutée à votre compte.",
    noticeAppRemoved: "Une application d’authentification a été retirée de votre compte.",
    noticeRecoveryCodesAdded:
      "Votre compte a de nouveaux codes de récupération. Les précédents ne fonctionnent plus.",
    noticeRecoveryCodesRemoved: "Les codes de récupération de votre compte ont été supprimés.",
    noticeEmailCodesAdded: "Les codes par e-mail ont été activés pour votre compte.",
    noticeEmailCodesRemoved: "Les codes par e-mail ont été désactivés pour votre compte.",
    noticePasskeyAdded: "Une clé d’accès a été ajoutée à votre compte.",
    noticePasskeyRemoved: "Une clé d’accès a été retirée de votre compte.",
    noticePasskeyRenamed: "Une clé d’accès de votre compte a été renommée.",
    noticeHint:
      "Si vous n’êtes pas à l’origine de ce changement, connectez-vous et vérifiez sans attendre la sécurité de votre compte.",

    homeLink: "Aller à la page d’accueil",
    backTo: "Retour à {app}",
    logo: "Logo",
  },
}
export default french
