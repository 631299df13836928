"""Languages by scripts and function words: real data, short texts in many languages, code-mixed posts."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.data.hold_out import PartRows
from assay.features import FEATURES, LabelledTexts
from assay.information import is_function_word
from assay.information.baselines import score_baselines
from assay.information.cues.word_kinds import explain_fragment, name_word_kind
from assay.information.item_texts import ItemTexts
from assay.information.shortcuts.stop_words import measure_stop_words
from assay.text import Corpus
from assay.text.languages import NAMES, LanguageGuess, identify_language, load_function_words

SENTENCES = {
    "ar": ["ذهبت إلى المدرسة مع أخي في الصباح", "هذا الكتاب الذي قرأته كان جميلا لكن طويل"],
    "bg": ["Това е книгата, която той ми даде.", "Не знам къде са децата и какво правят."],
    "cs": ["To je kniha, kterou mi dal můj bratr.", "Nevím, kde jsou děti, ale už je pozdě."],
    "da": ["Det er ikke noget, som jeg kan gøre her.", "Hvor er du, og hvad vil du have med til festen?"],
    "de": ["Das ist nicht der Weg, den wir gehen.", "Ich habe das Buch von meinem Bruder und lese es."],
    "el": ["Αυτό είναι το βιβλίο που μου έδωσε.", "Δεν ξέρω πού είναι τα παιδιά."],
    "en": ["This is not the way that we would go.", "I have the book of my brother and will read it."],
    "es": ["Este no es el camino por donde vamos.", "Tengo el libro de mi hermano y lo leo en la casa."],
    "fa": ["این کتاب را از او گرفتم و به خانه رفتم", "من نمی دانم که او کجا است ولی برای ما مهم است"],
    "fi": ["Minä en tiedä, missä hän on, mutta se on hyvä.", "Tämä on kirja, jonka hän oli ostanut ja joka on vielä uusi."],
    "fr": ["Ce n'est pas le chemin que nous prenons.", "J'ai le livre de mon frère et je le lis dans la maison."],
    "he": ["זה לא הספר של אחי", "אני לא יודע איפה הוא אבל הוא היה כאן"],
    "hi": ["यह वह किताब नहीं है जो मैं पढ़ रहा था।", "मुझे नहीं पता कि वे कहाँ हैं।"],
    "hi-Latn": ["yeh woh kitab nahi hai jo mujhe chahiye thi", "kya tum bhi aaj ghar par ho ya nahi yaar"],
    "hu": ["Ez nem az a könyv, amit kértem.", "Nem tudom, hol vannak a gyerekek, de már késő van."],
    "id": ["Ini bukan buku yang saya cari.", "Saya tidak tahu di mana mereka akan tinggal."],
    "it": ["Questo non è il libro che ho chiesto.", "Non so dove sono i bambini, ma è già tardi."],
    "ja": ["これは私が頼んだ本ではありません。", "子供たちがどこにいるのか分かりません。"],
    "ko": ["이것은 내가 찾던 책이 아닙니다.", "아이들이 어디에 있는지 모르겠어요."],
    "nl": ["Dit is niet het boek dat ik wilde.", "Ik weet niet waar de kinderen zijn, maar het is al laat."],
    "pl": ["To nie jest książka, o którą prosiłem.", "Nie wiem, gdzie są dzieci, ale już jest późno."],
    "pt": ["Este não é o livro que eu pedi.", "Não sei onde estão as crianças, mas já é tarde."],
    "ru": ["Это не та книга, которую я просил.", "Я не знаю, где дети, но уже поздно."],
    "sv": ["Det är inte den bok som jag ville ha.", "Jag vet inte var barnen är, men det är redan sent."],
    "th": ["นี่ไม่ใช่หนังสือที่ฉันขอ", "ฉันไม่รู้ว่าเด็กๆอยู่ที่ไหน"],
    "tr": ["Bu benim istediğim kitap değil ama çok güzel.", "O nerede bilmiyorum ve bu çok önemli bir şey."],
    "uk": ["Це не та книга, яку я просив.", "Я не знаю, де діти, але вже пізно і він ще не тут."],
    "ur": ["یہ وہ کتاب نہیں ہے جو میں نے مانگی تھی", "مجھے نہیں معلوم کہ وہ کہاں ہیں"],
    "vi": ["Đây không phải là cuốn sách mà tôi đã hỏi.", "Tôi không biết họ đang ở đâu nhưng đã muộn."],
    "zh": ["这不是我要的那本书。", "我不知道孩子们在哪里，但是已经很晚了。"],
}  # fmt: skip


@pytest.mark.parametrize("code", SENTENCES)
def test_short_texts_are_identified(code):
    guess = identify_language(Corpus.from_texts(SENTENCES[code]))
    assert guess.codes == (code,)
    assert guess.name == NAMES[code]


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("gnad10/gnad10.tsv.gz", ("de",)),
        ("waimai_zh/waimai.tsv.gz", ("zh",)),
        ("sentiment_hi_latn/sentiment_hi_latn.tsv.gz", ("hi-Latn", "en")),
        ("trec/trec.tsv.gz", ("en",)),
        ("goemotions/goemotions.tsv.gz", ("en",)),
    ],
)
def test_real_data_is_identified(shared, name, codes):
    assert identify_language(Corpus.from_texts(assay.read(shared(name)).texts)).codes == codes


def test_what_cannot_be_told_is_unknown():
    assert identify_language(Corpus.from_texts([])) == LanguageGuess("und")
    numbers = identify_language(Corpus.from_texts(["1 2 3", "4"]))
    assert (numbers.code, numbers.n_words) == ("und", 0)
    swahili = ["watoto wanasoma vitabu vyao shuleni kila siku", "mwalimu alifika mapema leo asubuhi"] * 100
    guess = identify_language(Corpus.from_texts(swahili))
    assert (guess.code, guess.may_be_english, guess.has_function_words) == ("und", False, False)
    assert guess.name == "a language that was not identified"
    assert identify_language(Corpus.from_texts(swahili[:2])).may_be_english  # too few words to say


def test_scripts_can_be_mixed():
    texts = ["यह film बहुत अच्छी है and the story is not what we would have", "मुझे this नहीं चाहिए but they have been there"]
    assert set(identify_language(Corpus.from_texts(texts)).codes) == {"hi", "en"}


def test_every_list_has_words_of_its_own():
    lists = load_function_words()
    assert set(lists) <= set(NAMES)
    for code, words in lists.items():
        others = frozenset().union(*(other for name, other in lists.items() if name != code))
        assert len(words) >= 35
        assert len(words - others) >= (15 if code not in ("da", "no") else 5), code
        assert all(word == word.lower() and not any(map(str.isdigit, word)) for word in words)


@pytest.mark.parametrize("code", [code for code in SENTENCES if code != "en"])
def test_no_english_feature_is_measured_in_another_language(code):
    """Each declines by name and says which language the texts are in."""
    texts = LabelledTexts.from_texts(SENTENCES[code] * 3)
    for name in ("flesch", "flesch_hard", "basic_words", "grammar_errors", "perplexity"):
        value = FEATURES[name](texts)
        assert np.isnan(value.value)
        assert f"the texts are in {NAMES[code]}" in value.reason
    for name in ("average_length", "type_token_ratio"):
        assert FEATURES[name](texts).value > 0


def test_texts_that_mix_languages_have_no_english_features(shared):
    data = assay.read(shared("sentiment_hi_latn/sentiment_hi_latn.tsv.gz"))
    texts = LabelledTexts.from_texts(data.texts)
    for name in ("flesch", "basic_words", "language_mix"):
        assert "Hindi in Latin letters mixed with English" in FEATURES[name](texts).reason


@pytest.mark.parametrize(
    ("code", "word", "kind"),
    [
        ("en", "the", "function word"),
        ("en", "die", "content word"),
        ("de", "die", "function word"),
        ("de", "the", "content word"),
        ("de", "könig", "content word"),
        ("de", "im jahr", "content words"),
        ("zh", "的", "function word"),
        ("zh", "饭", "character"),
        ("zh", "好 吃", "characters"),
        ("ja", "は", "function word"),
        ("hi", "है", "function word"),
        ("hi-Latn", "hai", "function word"),
        ("ar", "في", "function word"),
        ("ko", "책", "word"),
        ("zh", "2017", "number"),
    ],
)
def test_kinds_of_words(code, word, kind):
    assert name_word_kind(word, LanguageGuess(code, n_words=10_000)) == kind


def test_a_character_is_not_a_single_letter():
    """In a private audit only function words stay: a Chinese character is a word."""
    assert is_function_word("x")
    assert not is_function_word("饭")


def test_contractions_are_english():
    assert explain_fragment("t", LanguageGuess("en"))
    assert not explain_fragment("t", LanguageGuess("de"))


def test_stop_words_follow_the_language():
    german = ["der Hund und die Katze sind nicht im Haus von Anna", "das ist ein Garten mit Blumen für alle"]
    shares = measure_stop_words(ItemTexts([german]))[:, 0]
    assert shares.tolist() == pytest.approx([7 / 11, 5 / 8])  # der und die sind nicht im von; das ist ein mit für


def test_the_shortcut_is_left_out_if_there_is_no_list():
    words = "watoto wanasoma vitabu shuleni mwalimu alifika mapema asubuhi nyumbani sokoni kitabu".split()
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(words, 8)) for _ in range(200)]
    labels = ["a" if "mwalimu" in text else "b" for text in texts]
    result = assay.measure_information({"text": texts, "label": labels}, search=False, controls=["boosting"])
    assert any("stop-words is left out" in note for note in result.notes)
    assert all("S" not in row.shortcuts.split("+") for row in result.control)


def test_the_profile_of_a_language_without_spaces(shared, run):
    done = run("profile", shared("waimai_zh/waimai.tsv.gz"), "--sample", 2000)
    shown = done.stdout + done.stderr
    assert "Labels and lengths (in characters)" in shown
    assert "Most frequent pairs of characters" in shown
    assert "不错" in shown
    assert "defined for English only; the texts are in Chinese" in " ".join(shown.split())
    assert "Most frequent words" not in shown
    profile = assay.profile({"text": SENTENCES["ja"], "label": ["a", "b"]})
    assert profile.language.code == "ja"
    assert all(len(word.word) <= 2 for word in profile.top_words)


def test_pieces_of_japanese_words_are_not_function_words():
    japanese = LanguageGuess("ja")
    assert is_function_word("は", japanese)
    assert is_function_word("この", japanese)
    assert not any(is_function_word(piece, japanese) for piece in ("し い", "ど", "ら", "れ"))


def test_the_first_word_of_a_text_without_spaces_is_a_character():
    texts = ["この映画は面白い", "この映画は退屈だ"] * 10
    rows = PartRows(train=np.arange(10), dev=np.arange(0), test=np.arange(10, 20))
    scores = {row.name: row.accuracy.value for row in score_baselines([texts], np.array([0, 1] * 10), [rows])}
    assert (scores["first word"], scores["last word"]) == (0.5, 1.0)
