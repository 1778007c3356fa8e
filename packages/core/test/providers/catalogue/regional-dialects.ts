import kakao from "@latchkey/core/providers/kakao"
import line from "@latchkey/core/providers/line"
import naver from "@latchkey/core/providers/naver"
import yandex from "@latchkey/core/providers/yandex"
import { claimed, type Dialect } from "./dialect.ts"
import { opaqueIdToken } from "./stand.ts"

const image = "https://img.example/ada.png"
const name = "Ada Lovelace"
const user = { name, email: claimed, image }
const verify = "https://api.line.me/oauth2/v2.1/verify"
const lineClaims = (claims: object) => ({
  also: { [verify]: { iss: "https://access.line.me", sub: "U1234567890", ...claims } },
})
const kakaoTalker = (account: object) => ({ claims: { id: 123456789, kakao_account: account } })
const judged = (is_email_valid: boolean, is_email_verified: boolean) =>
  kakaoTalker({ email: claimed, is_email_valid, is_email_verified })
const naverUser = (response: object) => ({
  claims: { resultcode: "00", message: "success", response: { id: "32742776", ...response } },
})

/** Providers that most people of some countries have. */
export const regionalDialects: readonly Dialect[] = [
  {
    factory: line,
    id: "line",
    endpoints: {
      authorize: "https://access.line.me/oauth2/v2.1/authorize",
      token: "https://api.line.me/oauth2/v2.1/token",
    },
    clientAuth: "client_secret_post",
    guards: ["code_challenge"],
    asked: { scope: "openid profile email" },
    token: (honest) => ({ ...honest, id_token: opaqueIdToken }),
    full: lineClaims({ name, picture: image, email: claimed }),
    user,
    accountId: "U1234567890",
    bare: lineClaims({}),
    bareName: null,
    believed: [lineClaims({ email: claimed })],
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
    guards: [],
    asked: { scope: null },
    token: (honest) => ({ ...honest, token_type: "bearer", refresh_token_expires_in: 5_184_000 }),
    full: kakaoTalker({
      profile: { nickname: name, profile_image_url: image, is_default_image: false },
      email: claimed,
      is_email_valid: true,
      is_email_verified: true,
    }),
    user,
    accountId: "123456789",
    bare: kakaoTalker({ profile: { profile_image_url: image, is_default_image: true } }),
    bareName: null,
    denied: [judged(true, false), judged(false, true), kakaoTalker({ email: claimed })],
    believed: [judged(true, true)],
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
    guards: [],
    asked: { scope: null },
    token: (honest) => ({ ...honest, token_type: "bearer", expires_in: "3600" }),
    full: naverUser({ nickname: name, email: claimed, profile_image: image }),
    user,
    accountId: "32742776",
    bare: naverUser({}),
    bareName: null,
    believed: [naverUser({ email: claimed })],
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
    guards: ["code_challenge"],
    asked: { scope: "login:info login:email login:avatar" },
    full: {
      claims: {
        id: "1000034426",
        display_name: name,
        default_email: claimed,
        default_avatar_id: "131652443",
        is_avatar_empty: false,
      },
    },
    user: { ...user, image: "https://avatars.yandex.net/get-yapic/131652443/islands-200" },
    accountId: "1000034426",
    bare: { claims: { id: "2", is_avatar_empty: true } },
    bareName: null,
    believed: [{ claims: { id: "1", default_email: claimed } }],
  },
]
