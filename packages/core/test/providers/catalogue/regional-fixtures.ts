import kakao from "@latchkey/core/providers/kakao"
import line from "@latchkey/core/providers/line"
import naver from "@latchkey/core/providers/naver"
import yandex from "@latchkey/core/providers/yandex"
import { type ProviderFixture, sharedEmail } from "./provider-fixture.ts"

const image = "https://img.example/ada.png"
const name = "Ada Lovelace"
const user = { name, email: sharedEmail, image }
const lineClaims = (claims: object) => ({ claims: { sub: "U1234567890", ...claims } })
const kakaoUser = (account: object) => ({ claims: { id: 123456789, kakao_account: account } })
const kakaoEmail = (is_email_valid: boolean, is_email_verified: boolean) =>
  kakaoUser({ email: sharedEmail, is_email_valid, is_email_verified })
const naverUser = (response: object) => ({
  claims: { resultcode: "00", message: "success", response: { id: "32742776", ...response } },
})

/** Providers that are common in some countries. */
export const regionalFixtures: readonly ProviderFixture[] = [
  {
    factory: line,
    id: "line",
    issuer: "https://access.line.me",
    endpoints: {
      discovery: "https://access.line.me/.well-known/openid-configuration",
      authorize: "https://access.line.me/oauth2/v2.1/authorize",
      token: "https://api.line.me/oauth2/v2.1/token",
    },
    supportsPkce: true,
    idToken: "hmac-client-secret",
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "openid profile email" },
    fullProfile: lineClaims({ name, picture: image, email: sharedEmail }),
    expectedUser: user,
    accountId: "U1234567890",
    minimalProfile: lineClaims({}),
    minimalName: null,
    linkableProfiles: [lineClaims({ email: sharedEmail })],
  },
  {
    factory: kakao,
    id: "kakao",
    endpoints: {
      authorize: "https://kauth.kakao.com/oauth/authorize",
      token: "https://kauth.kakao.com/oauth/token",
      userinfo: "https://kapi.kakao.com/v2/user/me",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: null },
    tokenResponse: (honest) => ({
      ...honest,
      token_type: "bearer",
      refresh_token_expires_in: 5_184_000,
    }),
    fullProfile: kakaoUser({
      profile: { nickname: name, profile_image_url: image, is_default_image: false },
      email: sharedEmail,
      is_email_valid: true,
      is_email_verified: true,
    }),
    expectedUser: user,
    accountId: "123456789",
    minimalProfile: kakaoUser({ profile: { profile_image_url: image, is_default_image: true } }),
    minimalName: null,
    unverifiedProfiles: [
      kakaoEmail(true, false),
      kakaoEmail(false, true),
      kakaoUser({ email: sharedEmail }),
    ],
    linkableProfiles: [kakaoEmail(true, true)],
  },
  {
    factory: naver,
    id: "naver",
    endpoints: {
      authorize: "https://nid.naver.com/oauth2.0/authorize",
      token: "https://nid.naver.com/oauth2.0/token",
      userinfo: "https://openapi.naver.com/v1/nid/me",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: null },
    tokenResponse: (honest) => ({ ...honest, token_type: "bearer", expires_in: "3600" }),
    fullProfile: naverUser({ nickname: name, email: sharedEmail, profile_image: image }),
    expectedUser: user,
    accountId: "32742776",
    minimalProfile: naverUser({}),
    minimalName: null,
    linkableProfiles: [naverUser({ email: sharedEmail })],
  },
  {
    factory: yandex,
    id: "yandex",
    endpoints: {
      authorize: "https://oauth.yandex.ru/authorize",
      token: "https://oauth.yandex.ru/token",
      userinfo: "https://login.yandex.ru/info?format=json",
    },
    clientAuth: "client_secret_basic",
    protections: ["code_challenge"],
    authorizationParams: { scope: "login:info login:email login:avatar" },
    fullProfile: {
      claims: {
        id: "1000034426",
        display_name: name,
        default_email: sharedEmail,
        default_avatar_id: "131652443",
        is_avatar_empty: false,
      },
    },
    expectedUser: { ...user, image: "https://avatars.yandex.net/get-yapic/131652443/islands-200" },
    accountId: "1000034426",
    minimalProfile: { claims: { id: "2", is_avatar_empty: true } },
    minimalName: null,
    linkableProfiles: [{ claims: { id: "1", default_email: sharedEmail } }],
  },
]
