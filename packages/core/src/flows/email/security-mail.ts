/** Sends e-mails that are no sign-in links: the codes of second factors, and notices of changes. */
import type { SecurityNotice } from "@latchkey/pages/security-email"
import type { AdapterUser } from "../../adapters.ts"
import type { CoreServices, StoreServices } from "../../config/core-services.ts"
import type { ResolvedConfig } from "../../config/resolved-config.ts"
import { EmailSignInError } from "../../errors.ts"
import { backgroundTimeout, withTimeout } from "../../http/timeout.ts"
import { isPlainObject } from "../../objects.ts"
import { createLanguageSelector } from "../../pages/render-page.ts"
import { codeMaxAge } from "../../providers/code-senders.ts"
import { mergeDefinition } from "../../providers/merge-definition.ts"
import type { EmailConfig, Mailer, SecurityMessage } from "../../providers/types.ts"
import type { FlowContext } from "../flow.ts"

/** The services that send a message. Without a request, as in calls of server code, it is in the first language. */
export type MailContext = CoreServices & Partial<Pick<FlowContext, "request">>

/** Who sends the messages. */
interface Sender {
  /** The address of the sender, unless the application's own function chooses it. */
  readonly from: string | undefined
  send(message: SecurityMessage): unknown
}

/** Returns who sends the messages; undefined if nobody does. */
function findSender({
  mailer,
  providers,
}: Pick<ResolvedConfig, "mailer" | "providers">): Sender | undefined {
  const definition =
    mailer === undefined ? findMailProvider(providers) : mailer ? applyOptions(mailer) : undefined
  if (!definition?.sendMessage) return undefined
  const { from } = definition
  return { from, send: (message) => definition.sendMessage?.(message, definition) }
}

const findMailProvider = (providers: ResolvedConfig["providers"]): EmailConfig | undefined =>
  [...providers.values()]
    .filter((provider) => provider.type === "email")
    .map(({ definition }) => definition)
    .find(({ sendMessage }) => sendMessage)

/** Merges the options over the fields of the provider, as for `providers`. */
function applyOptions(mailer: Mailer): EmailConfig {
  const { options, ...fields } = mailer as EmailConfig
  return (isPlainObject(options) ? mergeDefinition(fields, options) : fields) as EmailConfig
}

/** Returns what the messages of a site have in common, and the sender if the application chooses none. */
async function describeSite({ config, logger, request }: MailContext, { from = "" }: Sender) {
  const { origin } = request ?? {}
  const senderHost = /@([^\s>]+)/.exec(from)?.[1] ?? "localhost"
  const { host, hostname } = new URL(config.authUrlOrigin ?? origin ?? `http://${senderHost}`)
  const anyRequest = { url: new URL(`http://${host}`), headers: new Headers() }
  const selectLanguage = createLanguageSelector(config, logger)
  const language = await selectLanguage(request ?? anyRequest)
  return { site: { host, theme: config.theme, language }, defaultFrom: `no-reply@${hostname}` }
}

/**
 * Sends a code.
 *
 * @throws EmailSignInError if nobody sends it, or it cannot be sent
 */
export async function sendCode(context: MailContext, to: string, code: string): Promise<void> {
  const sender = findSender(context.config)
  if (!sender) throw new EmailSignInError({ expected: "the option `mailer`" })
  context.request?.secrets.push(code)
  const { site, defaultFrom } = await describeSite(context, sender)
  const { createCodeEmail } = await import("@latchkey/pages/security-email")
  const message = createCodeEmail(site, code, codeMaxAge)
  try {
    await deliver(sender, { ...message, to, from: defaultFrom, secrets: [code, to] })
  } catch (cause) {
    throw new EmailSignInError(
      { summary: "The e-mail with the code could not be sent." },
      { cause },
    )
  }
}

async function deliver({ send }: Sender, message: SecurityMessage): Promise<void> {
  const sending = (async () => send(message))()
  await withTimeout(
    backgroundTimeout,
    sending,
    `It was not sent within ${backgroundTimeout / 1000} s`,
  )
}

/**
 * Tells a user that a second factor or a passkey has changed, if they have an address and there is a mailer. Never rejects:
 * the change has been made.
 */
export async function sendNotice(
  context: MailContext & Pick<StoreServices, "store">,
  user: Pick<AdapterUser, "id"> & Partial<Pick<AdapterUser, "email">>,
  notice: SecurityNotice,
): Promise<void> {
  try {
    const sender = findSender(context.config)
    const to = user.email ?? (sender && (await context.store.getUser(user.id))?.email)
    if (!sender || !to) return
    const { site, defaultFrom } = await describeSite(context, sender)
    const { createNoticeEmail } = await import("@latchkey/pages/security-email")
    const message = createNoticeEmail(site, notice)
    await deliver(sender, { ...message, to, from: defaultFrom, secrets: [to] })
  } catch (cause) {
    const summary = "A user was not told about a change of their account."
    context.logger.error(new EmailSignInError({ summary }, { cause }))
  }
}
