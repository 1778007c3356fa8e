/** All languages that the package has. */
import arabic from "@latchkey/pages/languages/ar"
import german from "@latchkey/pages/languages/de"
import english from "@latchkey/pages/languages/en"
import spanish from "@latchkey/pages/languages/es"
import french from "@latchkey/pages/languages/fr"
import hebrew from "@latchkey/pages/languages/he"
import italian from "@latchkey/pages/languages/it"
import japanese from "@latchkey/pages/languages/ja"
import korean from "@latchkey/pages/languages/ko"
import dutch from "@latchkey/pages/languages/nl"
import polish from "@latchkey/pages/languages/pl"
import portuguese from "@latchkey/pages/languages/pt"
import turkish from "@latchkey/pages/languages/tr"
import ukrainian from "@latchkey/pages/languages/uk"
import chinese from "@latchkey/pages/languages/zh-Hans"

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
