/** Users at the providers of Auth.js whose profiles differ from the usual claims, according to their documentation. */
import type { SimulatedProvider } from "./simulated-provider.ts"

const firstName = "Ada"
const lastName = "Lovelace"
const name = "Ada Lovelace"
const email = "ada@example.com"
const picture = "https://img.example/ada.png"
const notionUser = {
  id: "e79a0b74-3aba-4149-9f74-0bb5791a6ee6",
  name,
  avatar_url: picture,
  person: { email },
}

/** PKCE works at Microsoft, but its metadata does not say so. */
const withoutPkce = { metadata: { code_challenge_methods_supported: undefined } }

/** The parameters that providers send with the code. */
export const browserResponses: Readonly<Record<string, Partial<SimulatedProvider>>> = {
  apple: {
    alwaysReturnsIdToken: true,
    callback: { user: JSON.stringify({ name: { firstName, lastName } }) },
  },
}

/** The profiles that objects of Auth.js expect instead of the usual claims, by id. */
export const adaptations: Readonly<Record<string, Partial<SimulatedProvider>>> = {
  "azure-ad": withoutPkce,
  "azure-devops": {
    claims: {
      id: "7",
      displayName: name,
      emailAddress: email,
      coreAttributes: { Avatar: { value: { value: "AQID" } } },
    },
  },
  "bankid-no": { signsUserinfo: true },
  bungie: {
    claims: {
      Response: {
        bungieNetUser: { membershipId: "7", displayName: name, profilePicturePath: "/ada.png" },
      },
    },
  },
  "click-up": { claims: { user: { id: 7, username: name, email, profilePicture: picture } } },
  ...browserResponses,
  concept2: {
    claims: { data: { id: 7, first_name: firstName, last_name: lastName, email } },
  },
  faceit: { claims: { guid: "7", nickname: "ada", email, picture } },
  foursquare: {
    claims: {
      response: {
        user: {
          id: "7",
          firstName,
          lastName,
          contact: { email },
          photo: { prefix: "https://img.example/", suffix: "/ada.png" },
        },
      },
    },
  },
  freshbooks: {
    claims: { response: { id: 7, first_name: firstName, last_name: lastName, email } },
  },
  gitlab: {
    responses: {
      "https://gitlab.com/api/v4/user": {
        id: 1574083,
        username: "ada",
        name,
        email,
        avatar_url: picture,
      },
    },
  },
  linkedin: {
    issuer: "https://www.linkedin.com/oauth",
    idToken: ({ claims }) => void delete claims["nonce"],
    tokenResponse: (honest) => honest,
  },
  mailchimp: { tokenResponse: ({ access_token }) => ({ access_token }) },
  medium: { claims: { data: { id: "7", username: "ada", name, imageUrl: picture } } },
  netsuite: {
    options: {
      accountID: "TSTDRV1",
      issuer: "https://system.netsuite.com", // Auth.js refuses its own object without one
      userinfo: "https://tstdrv1.restlets.api.netsuite.com/app/site/hosting/restlet.nl",
    },
    claims: { id: "7", name, email },
  },
  notion: {
    options: { redirectUri: "https://app.example/auth/callback/notion" },
    responses: {
      "https://api.notion.com/v1/users/me": { bot: { owner: { type: "user", user: notionUser } } },
    },
  },
  // Their issuer ends with a slash.
  osso: { options: { issuer: "https://demo.ossoapp.com/" } },
  pinterest: { claims: { username: "ada", profile_image: picture } },
  trakt: { claims: { ids: { slug: "ada" }, name, images: { avatar: { full: picture } } } },
  wechat: {
    claims: { openid: "7", unionid: "u-7", nickname: name, headimgurl: picture },
    tokenResponse: ({ token_type: _, ...honest }) => ({ ...honest, openid: "7", unionid: "u-7" }),
  },
  zoho: { claims: { ZUID: "7", First_Name: firstName, Last_Name: lastName, Email: email } },
  eveonline: {
    responses: {
      "https://login.eveonline.com/oauth/verify": { CharacterID: 123123, CharacterName: name },
    },
  },
  instagram: { tokenResponse: ({ access_token }) => ({ access_token }) },
  nextcloud: { options: { issuer: "https://cloud.acme.example" } },
  onelogin: {
    options: { issuer: "https://acme.onelogin.com" },
    issuer: "https://acme.onelogin.com",
  },
  threads: {
    claims: { data: { id: "1234567", username: "ada", threads_profile_picture_url: picture } },
  },
  todoist: {
    options: { issuer: "https://todoist.com" }, // Auth.js refuses its own object without one
    claims: { user: { id: "2671355", full_name: name, email, avatar_big: picture } },
  },
  workos: { options: { issuer: "https://api.workos.com/" } },
}
