import type { Language } from "../messages/messages.ts"

/** Portuguese, as it is written in Brazil. */
const portuguese: Language = {
  tag: "pt",
  messages: {
    signInHeading: "Entrar",
    continueTo: "para continuar em {site}",
    signInTo: "Entrar em {site}",
    signInWith: "Entrar com {provider}",
    signInButton: "Entrar",
    signInWithEmail: "Receber um link de acesso",
    signInByEmail: "Entrar com e-mail",
    signInByPassword: "Entrar com senha",
    signInWithPasskey: "Entrar com chave de acesso",
    lastUsed: "Último uso",
    rememberMe: "Continuar conectado",
    newHere: "Primeira vez aqui?",
    createAccount: "Criar uma conta",
    createPasskey: "Criar uma chave de acesso",
    emailLabel: "E-mail",
    nameLabel: "Nome",
    or: "ou",
    passkeysUnsupported:
      "Este navegador não é compatível com chaves de acesso. Entre de outra forma.",
    passkeysNeedJavaScript: "Para entrar com uma chave de acesso, ative o JavaScript.",
    noSignInMethods:
      "Ainda não é possível entrar. Se você administra este site, configure um provedor.",

    passkeyExists: "Este dispositivo já tem uma chave de acesso para você. Entre com ela.",
    passkeyCancelled: "Nenhuma chave de acesso foi usada. Tente de novo quando quiser.",
    passkeyInvalidInput: "Confira os dados e tente de novo.",
    passkeyFailed: "A chave de acesso não funcionou. Tente de novo ou entre de outra forma.",
    passkeyNotVerified:
      "Não foi possível verificar sua chave de acesso. Tente de novo ou entre de outra forma.",

    signInFailed: "Não foi possível entrar. Tente de novo ou entre com outra conta.",
    signInNotCompleted: "O acesso não foi concluído. Tente de novo ou entre de outra forma.",
    signInExpiredHeading: "Este acesso expirou",
    signInExpired: "Ele demorou demais, já foi concluído ou começou em outro navegador.",
    accountNotLinked:
      "Esta conta não está vinculada à sua. Entre com a conta que você usou originalmente.",
    emailNotSent: "Não foi possível enviar o e-mail. Confira o endereço e tente de novo.",
    invalidEmail: "Digite um único endereço de e-mail válido.",
    incorrectDetails: "Os dados de acesso estão incorretos. Confira e tente de novo.",
    accessDeniedHeading: "Acesso negado",
    accessDenied: "Você não tem permissão para entrar. Tente com outra conta.",
    linkExpiredHeading: "Este link não funciona mais",
    linkExpired: "Este link de acesso expirou ou já foi usado. Solicite um novo.",
    tooManyAttemptsHeading: "Muitas tentativas",
    tooManyAttempts: "Muitas tentativas. Aguarde alguns minutos e tente de novo.",
    waitAndTryAgain: "Aguarde alguns minutos e tente de novo.",
    unavailableHeading: "Acesso indisponível",
    unavailable: "No momento, não é possível entrar. Tente de novo mais tarde.",
    checkServerLog: "Se você administra este site, consulte o log do servidor.",
    signInRequired: "Entre para ver esta página.",
    pageExpired: "Esta página ficou aberta por muito tempo ou também em outra aba. Tente de novo.",
    unknownErrorHeading: "Algo deu errado",
    unknownError: "Não foi possível concluir a solicitação. Tente de novo.",
    tryAgain: "Tentar de novo",
    notFoundHeading: "Página não encontrada",
    notFound: "Não há nenhuma página neste endereço.",

    signOutHeading: "Sair",
    signOutQuestion: "Quer sair da sua conta?",
    signOutButton: "Sair",
    staySignedIn: "Continuar conectado",
    signOutFailedHeading: "Você ainda não saiu",
    signOutFailed: "Não foi possível sair agora. Tente de novo em instantes.",

    checkEmailHeading: "Confira seu e-mail",
    checkEmailText: "Um link de acesso está a caminho. Se ele não chegar, veja a pasta de spam.",
    emailSentTo: "Enviamos um link de acesso para {email}.",
    linkAndCodeSentTo:
      "Enviamos um link de acesso e um código para {email}. Abra o link neste navegador ou digite o código aqui.",
    checkSpamFolder: "Se o e-mail não chegar, veja a pasta de spam.",
    resendEmail: "Enviar outro e-mail",
    useAnotherEmail: "Usar outro endereço",
    emailSentAgain: "Enviamos outro e-mail. Use o mais recente.",
    emailSentRecently:
      "Acabamos de enviar um e-mail. Aguarde alguns segundos antes de tentar de novo.",
    tooManyEmails: "Foram solicitados e-mails demais. Aguarde alguns minutos e tente de novo.",
    codeLabel: "Código do e-mail",
    codeIncorrect: "Este código está incorreto. Confira e tente de novo.",
    codeAttemptsLeft: "Tentativas restantes: {count}.",
    codeInvalid: "Este código não é mais válido. Solicite outro e-mail.",
    linkOpened: "Abriu o link em outra aba?",
    notSignedInYet: "Você ainda não entrou. Abra primeiro o link do e-mail.",

    confirmHeading: "Confirme seu acesso",
    confirmText: "Se você não pediu este link, feche esta página: nenhuma conta será acessada.",
    enterCodeHeading: "Digite o código do e-mail",
    enterCodeText:
      "Este link foi solicitado em outro navegador. Para entrar aqui, digite o código do mesmo e-mail.",
    codeMissing: "Sem o código, este link só funciona no navegador em que foi solicitado.",
    noCode: "Meu e-mail não tem código",
    signedInAs: "Você entrou como {user}.",
    signedIn: "Você já entrou.",
    continueToSite: "Continuar em {site}",
    continueButton: "Continuar",
    useAnotherAccount: "Usar outra conta",
    continueAs: "Continuar como {user}",

    secondFactorHeading: "Só mais uma etapa",
    authenticatorText: "Digite o código exibido no seu app de autenticação.",
    authenticatorCodeLabel: "Código do app",
    recoveryCodeText: "Digite um dos seus códigos de recuperação. Cada um funciona uma vez.",
    recoveryCodeLabel: "Código de recuperação",
    useRecoveryCode: "Usar um código de recuperação",
    useAuthenticator: "Usar o app de autenticação",
    trustDevice: "Confiar neste dispositivo",
    cancelButton: "Cancelar",
    setUpFactorHeading: "Configurar um app de autenticação",
    setUpFactorText:
      "Escaneie este código com um app de autenticação no seu telefone. Depois, digite o código exibido no app.",
    qrCode: "Código QR",
    setUpKeyText: "Se não conseguir escaneá-lo, digite esta chave no app:",
    openAuthenticator: "Abrir um app neste dispositivo",
    recoveryCodesHeading: "Salve seus códigos de recuperação",
    recoveryCodesText:
      "Se você perder o app de autenticação, cada um destes códigos o substitui uma vez. Guarde-os onde só você possa encontrá-los: eles não serão exibidos de novo.",
    codesSaved: "Salvei os códigos",

    signInEmailSubject: "Entrar em {app}",
    signInEmailExpiry: "O link funciona uma única vez e expira em {duration}.",
    signInEmailLinkHint: "Se o botão não funcionar, copie este link para o navegador:",
    signInEmailCodeHint:
      "Se você começou a entrar em outro dispositivo ou em outro navegador, digite este código lá:",
    signInEmailCodeExpiry:
      "O código expira em {duration}. Não o compartilhe com ninguém: {app} nunca vai pedir esse código.",
    signInEmailIgnore:
      "Se você não pediu para entrar, ignore este e-mail. Não o encaminhe: qualquer pessoa com o link pode entrar como você.",

    homeLink: "Ir para a página inicial",
    backTo: "Voltar para {app}",
    logo: "Logotipo",
  },
}
export default portuguese
