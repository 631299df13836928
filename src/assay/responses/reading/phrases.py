"""The phrases by which models announce an answer, refuse, reconsider, or start another question, in five languages.

All patterns have bounded repetitions, so that they take linear time on any text.
"""

from __future__ import annotations

import re

_GAP = r"[^\S\n]{0,3}"
# English, German, French, Spanish and Chinese. What follows the match is the announced answer.
CUE = re.compile(
    r"\b(?=[abcdefijklmorstvw](?:[aeilnoöpréhcs'’]|[^\S\n]))(?:"  # most words are none of these, which saves time
    r"(?:answer|choice|option|solution|conclusion|(?:in)?correct statement|true statement|false statement)\b"
    r"[*_\"']{0,3}(?:[^\S\n](?:to|for|of|here|among|in|(?:that|which)[^.:\n]{0,60})\b[^.:\n]{0,60})?"
    rf"{_GAP}\b(?:is|would be|should be|must be|will be|has to be|can only be|to be|could be)(?!\w)"
    r"|(?:answers|correct options|correct choices)\b(?:[^\S\n]are\b[:：]?|[:：])"
    r"(?=[^\S\n]{1,3}[(\[*]{0,4}(?-i:[A-Z])(?![\w'’]))"
    r"|answer[*_]{0,3}[^\S\n]{0,3}(?:\||\n)"
    rf"|final_answer{_GAP}[:=]"
    r"|(?:answer|solution|conclusion|"
    r"(?:correct|right|best|final|closest|chosen|incorrect|true|false) (?:option|choice|statement))\b[*_\"']{0,3}"
    rf"{_GAP}(?:[:：=]|[-–—](?=[^\S\n]))"
    r"|(?:answer|choice|option|value|match|one|result)\b[^.:\n]{0,30}\bclosest to\b"
    r"|closest (?:answer|choice|option|value|match|one|result)\b[^.:\n]{0,40}?\b(?:is|to|would be)\b"
    r"|(?:antwort|lösung|antwortmöglichkeit)\b(?:[^\S\n](?:auf|zu)\b[^.:\n]{0,60})?"
    rf"{_GAP}(?:ist|lautet|wäre|:)(?!\w)"
    r"|option[^\S\n](?:correcte|ist|correcta)?[^\S\n]?(?:est|es|ist)(?!\w)"
    r"|(?:réponse|solution)\b(?:[^\S\n](?:correcte|exacte|finale|juste|à)\b[^.:\n]{0,60}?)?"
    rf"{_GAP}(?:(?:n['’])?est|serait|:)(?!\w)"
    r"|(?:respuesta|opción correcta|solución)\b(?:[^\S\n](?:correcta|final|a)\b[^.:\n]{0,60}?)?"
    rf"{_GAP}(?:es|sería|:)(?!\w)"
    r"|(?:richtig|korrekt)[^\S\n](?:ist|sind|wäre)\b"
    r"|risposta\b(?:[^\S\n](?:corretta|giusta|esatta|finale|a)\b[^.:\n]{0,60}?)?(?:[^\S\n]è|:)(?:[^\S\n]la\b)?(?!\w)"
    r"|resposta\b(?:[^\S\n](?:correta|certa|final|para)\b[^.:\n]{0,60}?)?(?:[^\S\n]é|:)(?:[^\S\n](?-i:a)\b)?(?!\w)"
    r"|(?:i|we)(?:['’](?:d|ll|m)| am| would| will| shall| must| should)?[^\S\n]"
    r"(?:choose|select|pick|go(?:ing)? with|lean towards?|opt for|settle on|say(?=[^\S\n][\[(*]{0,3}(?-i:[A-Z])(?![\w'’])))\b"
    r"|(?:ich (?:wähle|nehme|entscheide mich für)|je (?:choisis|dirais)|elijo|escojo|diría)\b"
    r"(?=[^\S\n](?:\w{2,8}[^\S\n]){0,2}[(\[*«\"]{0,3}(?-i:[A-Z])(?![\w'’]))"
    r")"
    r"|[\"'](?:final_?)?(?:answer|choice|option|prediction|label)[\"']\s{0,3}:"
    r"|(?:答え|正解|回答|解答)(?:は|：|:)"
    r"|(?:答案|正确选项|选项|结论)(?:应该|应当|应)?(?:是|为|选|：|:)|(?:故选|应选|因此选|所以选|选择)[：:]?",
    re.IGNORECASE,
)
BOXED = re.compile(r"\\boxed[^\S\n]{0,2}\{|####[^\S\n]{0,3}|<answer>\s{0,3}", re.IGNORECASE)
# "(C) is the correct answer": the option is before the phrase.
BACKWARD = re.compile(
    r"(?:\b(?:option|choice|answer|statement)[^\S\n])?[\[(*]{0,3}\b([A-Z]|(?<=\()[a-z](?=\)))\b[\])*.]{0,3}[^\S\n]"
    r"(?:is|must be|would be|seems to be|appears to be)[^\S\n](?:therefore[^\S\n]|thus[^\S\n])?"
    r"(?:the[^\S\n](?:only[^\S\n])?(?:correct|right|best|better|most (?:\w{1,20})|final)"
    r"(?:[^\S\n](?:answer|option|choice|one|statement|output|response))?"
    r"|the (?:answer|option|choice|winner)\b|(?:better|preferable)[*_]{0,2}(?=[.!]|\s{0,3}$))",
)
FILLER = re.compile(
    r"(?:[\s*_`\"'“”‘’«\[({（【「$:：=≈~>|]|-(?![\d.])|\.{2,4}|…|\\(?:textbf|text|mathrm|mathbf|boxed|left|quad|\()|"
    r"(?:therefore|thus|then|indeed|clearly|simply|actually|definitely|most likely|likely|probably|approximately|about|"
    r"closest to|option|choice|letter|number|the|answer|statement|is|ist|est|es|die|der|das|la|le|l['’]|el|选项|为|是)(?!\w))"
    r"{0,24}",
    re.IGNORECASE,
)
LETTER = re.compile(r"([A-Z])(?![A-Za-zÀ-ÿ0-9_'’])|([a-z])(?=\s{0,2}[)\]]|[.*]{0,3}\s*$)")
# answer = 'B': a letter in single quotes, which is no prime.
QUOTED = re.compile(r"['‘]([A-Z])['’](?=[^\S\n]{0,3}(?:$|[,;.)}\]#\n]))")
# answer = "B" would be wrong if …
HYPOTHETICAL = re.compile(r"[\"'”’`]?[^\S\n]{1,3}(?:would|could|might)[^\S\n]be[^\S\n](?:wrong|incorrect|false)\b")
# A second option right after the first one: the response names several.
CONTRAST = re.compile(
    r"[^.\n]{0,60}?\b(?:but|sondern|mais|sino|ma|mas)\b(?:[^\S\n](?:rather|instead|with))?|[^。\n]{0,60}?而是",
    re.IGNORECASE,
)  # "not B, but C"
SECOND = re.compile(
    r"[)\]*.\s]{0,4}(?:(?:and|or|und|oder|et|ou|y|o|和|或|&|,|/)[^\S\n]{0,3}){1,2}(?:option[^\S\n])?[(\[*]{0,3}([A-Z])(?![\w'’])"
)
# "A good idea", "I think": a letter that is a word of the sentence.
WORD_LETTER = re.compile(r"[AI][^\S\n]+[a-z]|I['’]")
DENIAL = re.compile(
    r"(?:not\b|none\b|nicht\b|keine\b|pas\b|aucune\b|ninguna\b|no (?:option|answer)\b|unknown\b|"
    r"unclear\b|cannot\b|n/a\b|没有|不)",
    re.IGNORECASE,
)
# Answers that end the response: "…, which is (A)." and "or (D)."
ENDING = re.compile(
    r"(?:\b(?:is|are|be|or|to|as|of|option|choice|statement|answer)\b|[:,=≈])[\s*_]{0,4}"
    r"(?:\(([A-Za-z])\)|\[([A-Z])\]|\*\*\(?([A-Z])\)?\.?\*\*)[\s*_$.!。]{0,8}$"
)
INNER_ENDING = re.compile(
    r"\b(?:is|are|be|or|to|option|choice|statement|answer)[\s:]{1,3}[*_]{0,2}\(([A-Z])\)[*_]{0,2}[.\n]"
)
PARENTHESISED = re.compile(
    r"(?<!\b\w)\(([A-Za-z])\)|(?i:\b(?:option|choice|statement|answer|antwort(?:möglichkeit)?|aussage|réponse|proposition|"
    r"respuesta|opción|alternativa|opzione|opção|risposta|resposta)|选项|答案)[^\S\n]?([A-Z])(?![A-Za-zÀ-ÿ0-9_'’])"
)
# "The answer cannot be (B)": what is before an option that is denied.
DENIED_END = re.compile(
    r"(?:\b(?:not|cannot|never|nor|neither|nicht|kein\w{0,2}|pas|ni|nunca)|n['’]t)[^\S\n]"
    r"(?:(?:be|is|it|the|option|answer|choice|either|[a-z] or|die|der|antwort|la|le|est|es)[^\S\n]){0,3}[(\[*_]{0,4}$",
    re.IGNORECASE,
)
# "The answer is 500 mg, not 50 mg.": what follows an answer in its sentence.
AFTERTHOUGHT = re.compile(
    r",?[^\S\n](?:not|rather than|instead of|because|since|which|as|nicht|weil|denn|car|porque)\b|[,;(–—]",
    re.IGNORECASE,
)
AFTER_VERB = re.compile(r"\b(?:is|are|be|ist|sind|est|sont|es|son)\b[^\S\n]")
# "Option B does not fit."
DENIED_AFTER = re.compile(
    r"(?:(?!\b(?:because|since|as|weil|denn|car|porque)\b)[^,;\n]){0,40}?"
    r"(?:\b(?:not|cannot|never|nicht|pas|nunca)\b|n['’]t\b|不)",
    re.IGNORECASE,
)
# "If he were an adult, the answer would be A."
IF_BEFORE = re.compile(r"\W{0,6}(?:if|had|were|unless|suppos\w{1,3}|assum\w{1,3}|wenn|falls|si)\b", re.IGNORECASE)
WOULD = re.compile(r"\b(?:would|could|wäre|serait|sería)\b", re.IGNORECASE)
# "A: wrong. B: right.", "| C | the text of the option | yes |": a verdict on each option.
_RIGHT = r"true|right|correct|yes|richtig|korrekt|wahr|vraie?|correcte|juste|verdader[oa]|correct[oa]|正确|对|[✓✔✅]"
_WRONG = (
    r"not (?:true|right|correct)|untrue|false|wrong|incorrect|no|falsch|nicht richtig|faux|fausse|incorrecte?|"
    r"fals[oa]|incorrect[oa]|错误|不正确|不对|错|[✗✘❌×]"
)
VERDICT_PART = re.compile(
    r"(?:^|(?<=[.;,!。；，])[^\S\n]{0,2})[|\s*_(>-]{0,6}\b(?P<letter>(?-i:[A-Z]))[)\].:：|*\s–-]{1,6}"
    r"(?:[^\n.;。；]{0,160}?[\s|:：(–—*-]{1,4})??"
    rf"(?:(?P<wrong>{_WRONG})|(?P<right>{_RIGHT}))\ufe0f?(?:[^\S\n]|[*|).;,!。；，]){{0,6}}(?=$|\s|(?<=[。；，]))",
    re.IGNORECASE | re.MULTILINE,
)
MARKED_PART = re.compile(
    r"^[|\s*_>-]{0,6}(?:(?P<right>[✓✔✅☑])|(?P<wrong>[✗✘❌]))\ufe0f?[\s*_(]{0,4}(?P<letter>[A-Z])(?!\w)[^\n]{0,200}$",
    re.MULTILINE,
)
# "So it has to be D.": a bare letter that ends the last sentence.
BARE_ENDING = re.compile(
    r"\b(?:is|be|are|leaves|ist|bleibt|est|es)[^\S\n](?:(?:nur|die|la|le)[^\S\n])?([A-Z])[.!]?\s*$"
)
_LAST_LETTER = r"[(\[*]{0,4}([A-Z])[)\]*]{0,4}"
_SO = r"\b(?i:therefore|thus|hence|so|consequently|daher|damit|somit|folglich|demnach|deshalb|donc|quindi)"
_GERMAN_RIGHT = r"(?:richtig|korrekt|zutreffend|die[^\S\n](?:richtige|korrekte)[^\S\n](?:Antwort|Option|Lösung))"
# "Therefore B.", "So, D it is.", "Damit ist B richtig.", "所以选B": an unannounced conclusion that ends the response.
CONCLUSION = re.compile(
    rf"{_SO}[,:]?[^\S\n]{{1,3}}{_LAST_LETTER}(?:[^\S\n]it[^\S\n]is)?[.!][*]{{0,2}}\s*$"
    rf"|\b(?i:then|okay|ok|alright),?[^\S\n]{_LAST_LETTER}[^\S\n]it[^\S\n]is[.!]\s*$"
    rf"|(?:{_SO}|\b(?i:also))[^\S\n](?:ist|wäre|stimmt|trifft|bleibt)[^\S\n](?:nur[^\S\n])?(?:(?:Option|Antwort)[^\S\n])?{_LAST_LETTER}"
    rf"(?:[^\S\n](?:{_GERMAN_RIGHT}|zu|übrig))?[.!]\s*$"
    rf"|\b(?P<right>[A-Z])[^\S\n]ist[^\S\n]{_GERMAN_RIGHT}[.!]\s*$"
    rf"|\b(?i:also)[,:]?[^\S\n]{{1,3}}{_LAST_LETTER}[.!]\s*$"
    rf"|\b(?i:but|sondern|mais|sino)[^\S\n](?:(?i:rather|instead|die|la|c['’]est)[^\S\n])?"
    rf"(?:(?i:option|antwort|réponse|opción)[^\S\n])?{_LAST_LETTER}[.!]?\s*$"
    r"|(?:^|[，,。；;：:\s])(?:因此|所以|故|我|应|但|本题|综上)?，?选(?:择|项)?[（(*]{0,3}([A-Z])[)）*]{0,3}[。.!！]?\s*$",
)
GERMAN = re.compile(
    r"\b(?:der|das|ist|nicht|und|eine?|sind|wird|liegt|es|aber|wäre|wenn|nur|mit|zu|kein\w{0,2}|sich|wir)\b",
    re.IGNORECASE,
)
CONDITION = re.compile(
    r"\b(?:if|unless|suppos\w{0,4}|assum\w{0,4}|would|were|whether|wenn|falls|wäre|si|ob)\b|如果|假如|若", re.IGNORECASE
)
BARE_LETTER = re.compile(
    r"(?<!option[^\S\n])(?<!choice[^\S\n])(?<!answer[^\S\n])(?<![(\w'’*\[])([A-Z])(?![\w'’).:*\]])"
)
# "The claim is true, yes.", "therefore, no."
TRUTH_ENDING = re.compile(
    r"(?:(\b(?:so|therefore|thus|hence|consequently|also|daher|damit|somit|folglich|donc)\b[,:]?)|[,;–—])[^\S\n]{1,3}[*_]{0,2}"
    r"(yes|no|ja|nein|oui|non|sí)[*_]{0,2}[.!][*_]{0,2}\s*$",
    re.IGNORECASE,
)
TRUTH_WORD = re.compile(r"\b(?:yes|no|true|false|ja|nein|oui|non|sí)\b", re.IGNORECASE)
NONE_RIGHT = re.compile(
    r"\b(?:none|neither) of (?:the|these|those)\b[^.\n]{0,40}?\b(?:options?|choices?|answers?|statements?|alternatives?)\b"
    r"[^.\n]{0,30}?\b(?:is|are|match(?:es)?|fits?|seems?)\b",
    re.IGNORECASE,
)
NEGATION = re.compile(
    r"\b(?:not|no|never|nor|neither|cannot|\w{2,8}n['’]t|nicht|kein\w{0,2}|weder|noch|pas|jamais|ni|nunca)\b|不|没",
    re.IGNORECASE,
)
# A calculation or a sentence that goes on.
GOES_ON = re.compile(
    r"(?:[*+/=×·÷(,^-]|\b(?:and|or|the|of|to|is|are|by|with|then|so|in|for|an?|we|plus|minus|times|und|oder|et|ou|y|o))\s*$",
    re.IGNORECASE,
)
PART = re.compile(r"\([a-z]\)")
# An option in apposition: its letter, followed by its text.
LABELLED = re.compile(r"(?<![A-Za-z0-9])([A-Z])[)\].:*]{1,4}[^\S\n]{1,3}(?=\S)")
OPENING = re.compile(r"[\s*_`\"'(\[]{0,6}([A-Z])(?=[)\]*_`\".:,]|'(?!\w)|\s{0,3}$|[^\S\n]{0,3}\n)[)\]*_`\"'.:,]{0,6}")
OPTION_LINE = re.compile(r"[\s*_(\[>-]{0,6}([A-Z])[)\].:*]{1,4}[^\S\n]{1,3}(\S[^\n]{0,400})[\s*_]{0,20}$")
ALONE = re.compile(
    r"[\s*_`\"'(\[#]{0,8}(?:(?i:option|choice|antwort|réponse|opción|选项)[^\S\n]?)?[*(\[]{0,3}([A-Z])[)\]*_`\"'.:\s]{0,8}"
)  # a line that is only a letter
ALSO_LETTER = re.compile(r"[^\S\n][*_]{0,2}\([A-Z]\)(?=[*_.]{0,3}$)")  # "Mars (C)"
SEVERAL_RIGHT = re.compile(
    r"\b([A-Z])[)\]*]{0,3},?[^\S\n](?:and|or|&)[^\S\n](?:option[^\S\n])?[\[(*]{0,3}([A-Z])[)\]*]{0,3}[^\S\n]"
    r"(?:are|(?:could|can|may|might)(?:[^\S\n]both)?[^\S\n]be)[^\S\n]"
    r"(?:both[^\S\n])?(?:the[^\S\n])?(?:correct|right|true|valid|possible)"
)
# Where a model goes on with text of its own: the next question, the next turn, answers of other questions.
NEXT_QUESTION = re.compile(
    r"\n[\s*#]{0,6}(?:question|frage|pregunta|问题|题目)[^\S\n]?(?:\d{0,4}[*]{0,2}[.:：]|\d{1,4}[*]{0,2}[^\S\n]{0,3}\n)"
    r"|\n[\s*#]{0,6}Q\d{0,4}[.:]"
    r"|\n[\s*#]{0,6}(?:user|human|instruction|problem)[*]{0,2}[:：]"
    r"|<\|(?:im_start|start_header_id|user|eot_id)\|>|\[INST\]|</?s>"
    r"|\n[^\n]{0,60}(?:combin|summari|总结|put)[^\n]{0,40}(?:answers|答案)",
    re.IGNORECASE,
)
REFUSAL = re.compile(
    r"\b(?:i['’]m sorry|i am sorry|i apologi[sz]e)\b[^.\n]{0,80}\b(?:can['’]?t|cannot|unable|not able|won['’]?t)\b"
    r"|\b(?:i|we)(?: am|['’]m| must| have to)?[^\S\n]"
    r"(?:can['’]?t|cannot|can not|won['’]?t|unable to|not able to|decline to|refuse to)"
    r"[^\S\n](?:\w{1,15}[^\S\n])?(?:help|assist|answer|provide|comply|fulfil|discuss|support|do that|engage|create|respond)"
    r"|\bas an ai\b[^.\n]{0,80}\b(?:can['’]?t|cannot|unable|not able|do not)\b"
    r"|\b(?:es tut mir leid|entschuldigung)\b[^.\n]{0,80}\b(?:kann|darf)\b[^.\n]{0,60}\bnicht\b"
    r"|\b(?:ich kann|kann ich)\b[^.\n]{0,60}\bnicht (?:helfen|beantworten|antworten)\b"
    r"|\b(?:désolée?|je regrette)\b[^.\n]{0,80}\b(?:ne peux|ne suis)\b|\bje ne peux pas\b[^.\n]{0,30}\b(?:aider|répondre)"
    r"|\b(?:lo siento)\b[^.\n]{0,80}\bno puedo\b|\bno puedo\b[^.\n]{0,30}\b(?:ayudar|responder)"
    r"|(?:抱歉|对不起)[^。\n]{0,40}(?:无法|不能)|我(?:无法|不能)(?:回答|提供|协助|帮助)",
    re.IGNORECASE,
)
RECONSIDERATION = re.compile(
    r"\b(?:however|wait|hmm|actually|but|on second thought|let me|let's|re-?(?:check|evaluat|consider|examin)\w{0,5}|"
    r"correction|mistake|jedoch|aber|moment|cependant|mais|attends|sin embargo|pero|espera)\b|但是|不过|等等|重新",
    re.IGNORECASE,
)
# "The answer is (B). Actually, no: it is (C)."
RETRACTION = re.compile(
    r"\b(?:wait|actually|correction|(?:on|upon) (?:second thought|reflection)|scratch that|mistaken?|"
    r"i was wrong|moment|attends|espera|me equivoqué|ich habe mich geirrt|je me suis trompé)\b|等等|不对",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"[.!?。！？…][)\]\"'”’*_`]{0,4}\s*$|<\S{1,30}>\s*$")
THOUGHT_END = re.compile(
    r"</(?:think|thinking|reasoning|scratchpad)>|◁/think▷|<\|channel\|>final<\|message\|>", re.IGNORECASE
)
THOUGHT_START = re.compile(r"<(?:think|thinking|reasoning|scratchpad)>|◁think▷|<\|channel\|>analysis", re.IGNORECASE)
YES_NO = re.compile(r"(yes|no|true|false|ja|nein|oui|non|sí|si|不是|不对|是的|对的|是|否|对)(?!\w)", re.IGNORECASE)
SENTENCE_BREAK = re.compile(r"(?<=[.!?])\s|[。！？\n]")
