/** All languages that the core ships. */
import arabic from "@latchkey/core/languages/ar"
import german from "@latchkey/core/languages/de"
import english from "@latchkey/core/languages/en"
import spanish from "@latchkey/core/languages/es"
import french from "@latchkey/core/languages/fr"
import hebrew from "@latchkey/core/languages/he"
import italian from "@latchkey/core/languages/it"
import japanese from "@latchkey/core/languages/ja"
import korean from "@latchkey/core/languages/ko"
import dutch from "@latchkey/core/languages/nl"
import polish from "@latchkey/core/languages/pl"
import portuguese from "@latchkey/core/languages/pt"
import turkish from "@latchkey/core/languages/tr"
import ukrainian from "@latchkey/core/languages/uk"
import chinese from "@latchkey/core/languages/zh-Hans"

export const languages = [
  arabic,
  chinese,
  dutch,
  english,
  french,
  german,
  hebrew,
  italian,
  japanese,
  korean,
  polish,
  portuguese,
  spanish,
  turkish,
  ukrainian,
]
