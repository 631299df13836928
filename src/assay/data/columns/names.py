"""The usual names of columns by role, in order of preference: a name of an earlier row beats those of later rows."""

from __future__ import annotations

import re

_SEPARATORS = re.compile(r"[\W_]+")

# Names are compared in lower case, letters and digits alone: "Sentence_A" is "sentencea".
PAIR_NAMES = (
    ("texta", "textb"),
    ("text1", "text2"),
    ("sentence1", "sentence2"),
    ("sentencea", "sentenceb"),
    ("sent1", "sent2"),
    ("question1", "question2"),
    ("premise", "hypothesis"),
    ("q1", "q2"),
    ("s1", "s2"),
    ("string1", "string2"),
    ("1string", "2string"),
    ("text", "textpair"),
)
# These are pairs too, but only where no plainer name of a text is there.
LOOSE_PAIR_NAMES = (
    ("question", "sentence"),
    ("question", "answer"),
    ("question", "passage"),
    ("query", "passage"),
    ("query", "document"),
    ("claim", "evidence"),
    ("context", "response"),
    ("question", "context"),
)
TEXT_NAMES = (
    ("text", "textinputdata", "texts"),
    (
        *("sentence", "review", "content", "body", "question", "tweet", "comment", "document", "utterance", "message"),
        *("post", "query", "passage", "article", "claim", "reviewtext", "reviewbody", "fulltext", "tweettext"),
        *("commenttext", "sentences", "phrase", "statement", "paragraph", "documenttext", "rawtext", "cleantext"),
    ),
    ("abstract", "description", "headline", "title", "prompt", "input", "inputs", "subject", "summary"),
)
LABEL_NAMES = (
    ("label",),
    ("labels", "goldlabel", "goldlabels", "gold", "labeltext", "labelname"),
    ("target", "class", "category", "y", "targets", "classlabel"),
    (
        *("sentiment", "polarity", "stars", "rating", "intent", "emotion", "stance", "isduplicate", "toxic", "spam"),
        *("coarselabel", "finelabel", "relation", "entailment", "topic", "airlinesentiment", "score", "quality"),
        *("entailmentlabel", "entailmentjudgment"),
    ),
    ("relatednessscore", "similarityscore", "similarity"),
)
ID_NAMES = (
    ("id", "ids"),
    ("idx", "guid"),
    (
        *("uid", "uuid", "pairid", "exampleid", "itemid", "sampleid", "docid", "textid", "tweetid", "reviewid"),
        *("sentenceid", "taskid", "questionid", "qid", "recordid", "problemid", "instanceid", "promptid", "ind"),
    ),
)
SPLIT_NAMES = (("split", "splits"), ("part", "partition", "subset", "set", "datasplit", "datasetsplit", "semevalset"))
TIME_NAMES = (
    ("timestamp", "datetime", "date", "time"),
    ("createdat", "created", "publishedat", "published", "pubdate", "postedat", "reviewdate", "tweetcreated"),
)
GROUP_NAMES = (
    ("group", "groups", "groupid"),
    ("clusteringlabels", "cluster", "clusterid", "clusters", "documentid", "threadid", "authorid", "userid", "author"),
)
# Columns that hold what annotators did with an item.
ANNOTATION_PREFIXES = ("annotator:", "seconds:")


def normalise_name(name: str) -> str:
    """Return a column's name in the form in which names are compared.

    >>> normalise_name("Sentence_A"), normalise_name("#1 String")
    ('sentencea', '1string')
    """
    return _SEPARATORS.sub("", name.lower())
