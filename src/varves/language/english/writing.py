"""English spelling: contractions, words that only open a sentence, and words of conditions."""

from __future__ import annotations

# The only table of contractions. The text has straight apostrophes and lower-case letters.
WHOLE = {
    "can't": "can not",
    "cant": "can not",
    "cannot": "can not",
    "won't": "will not",
    "wont": "will not",
    "shan't": "shall not",
    "ain't": "is not",
    "let's": "let us",
    "i'm": "i am",
    "im": "i am",
    "ive": "i have",
    "id've": "i would have",
    "thats": "that is",
    "whats": "what is",
    "y'all": "you all",
    "gonna": "going to",
    "wanna": "want to",
    "gotta": "got to",
    "imo": "in my opinion",
    "imho": "in my opinion",
    "pls": "please",
    "plz": "please",
    "thx": "thanks",
    "dont": "do not",
    "doesnt": "does not",
    "didnt": "did not",
    "isnt": "is not",
    "arent": "are not",
    "wasnt": "was not",
    "shouldnt": "should not",
    "wouldnt": "would not",
    "couldnt": "could not",
    "havent": "have not",
    "hasnt": "has not",
}
STARTING = {"lets": "let us"}
ENDINGS = (
    (r"n't$", " not"),
    (r"'ll$", " will"),
    (r"'ve$", " have"),
    (r"'re$", " are"),
    (r"'d$", " would"),
    (
        r"^(it|that|this|there|here|what|where|who|how|he|she|everything|something|one|when)'s$",
        r"\1 is",
    ),
)
SHORTENED = (
    r"\b(?:(?:e\.g|i\.e|vs|cf|approx|dr|mr|mrs|ms|prof|st|ca|resp|z\.b|d\.h|bzw|p\.ex|incl|excl|esp|"
    r"viz)(?=\.)|"
    # Before a number.
    r"(?:no|nos|nr|p|pp|vol|vols|ch|chap|art|par|para|fig|figs|sec|sect|eq|ver|v|rev|ref|op|pt|col|"
    r"ext|tel|rm|apt|bldg|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|mon|tue|tues|wed|thu|thur|"
    r"thurs|fri|sat|sun)(?=\.\s+[#(]?\d)|"
    # Before a small letter, a number or an aside; they may also end a sentence.
    r"(?:etc|inc|ltd|co|corp|jr|sr|dept|est|max|min|al|(?:[a-z]\.)+[a-z])(?=\.\s+(?-i:[a-z0-9(])))"
)
# A heading before a dash, which belongs to the sentence: "Decision - we ship".
HEADING = (
    r"(?:^|[.!?]\s|\n)[\s>*+#-]*(?:(?:the|our|my)\s)?(?:(?:final|rough|last)\s)?(?:decision|"
    r"consensus|verdict|conclusion|agreement|resolution|call|answer|proposal|suggestion|constraint|"
    r"fact|preference|observation)[*_]*\s*$"
)
LEAD = (
    r"(?:(?:ok(?:ay)?|k|so|and|also|oh|well|hm+|mm+|ah|yeah|yes|yep|great|nice|perfect|good|cool|"
    r"thanks|thank you|right|alright|all right|btw|by the way|one (?:more|last|other) thing|"
    r"last(?: thing)?|another thing|actually|hi|hey|hello|sorry|wait|anyway|but|awesome|sweet|fine|"
    r"sure|got it|makes sense|fair|true|exactly|oh and|you know|i mean|um+|uh+)(?=[\s,;:.!]|$)"
    r"[\s,;:.!]*)+"
)
CONDITION = (
    r"(?<!\bsure )(?<!\bknow )(?<!\bsee )(?<!\bwonder )(?<!\bwondering )(?<!\bunclear )(?<!\bas )"
    r"(?<!\bobject )(?<!\bask )(?<!\basking )(?<!\bdecide )(?<!\bmind )(?<!\blike )"
    r"\b(?:if|when|whenever|unless|in case|assuming|suppose|supposing|provided that|as soon as)\b"
    r"(?! we (?:just|instead)\b)(?! (?:anything|possible|necessary|so|not)\b)"
    r"(?<!\bwhat if)(?<!\beven if)(?<!\bas if)[^,;:]*(?:[,;:]|$|(?= then ))"
)
NEGATION = r"\b(?:not|never|no|hardly|nobody|without|neither|nor|none|nothing)\b"
TURN = r"\b(?:but|however|though|although|yet|still|except|otoh|on the other hand)\b"
_JOINS = "and|but|so|yet|while|whereas|because|although|though|then|however|hence"
# What separates two clauses, if the second has a subject of its own.
CLAUSE = (
    rf"(?:[,;:]\s+(?:(?:{_JOINS}),? )*|\s(?:{_JOINS}),? )"
    r"(?=(?:(?:today|now|then|this \w+|finally|instead|here|also|again),? )*"
    r"(?:i|we|you|he|she|it|they|this|that|there|everyone|everybody|nobody|all of us|let us|"
    r"the \w+(?: \w+)?|our \w+) (?!(?:and|or)\b))|"
    r"[,;] (?=(?:as|like|since|which|given|just as) )"
)
AFRESH = (
    r"\b(?:now|today|tonight|this (?:time|morning|afternoon|evening|week|month|sprint|quarter)|"
    r"finally|instead|as of)\b"
)
# The end of a line that cannot end a sentence.
UNFINISHED = (
    r"(?:\b(?:a|an|the|my|your|its|our|their|every|each|any|of|to|for|from|with|without|at|by|into|"
    r"onto|between|until|than|as|per|and|or|nor|but|because|if|when|while|whether|which|whose|is|"
    r"are|was|were|be|been|would|shall|should|could|may|might|must|very|new|old|use|adopt|keep|"
    r"drop|replace|choose|we|they|he|she)|[(/&+-])$"
)
# The beginning of a line that cannot begin a sentence in small letters.
CONTINUING = (
    r"(?:of|to|for|from|with|without|on|in|at|by|into|onto|until|till|than|as|per|via|under|over|"
    r"after|before|during|instead|because|since|while|which|that|who|whose|where|and|or|nor)\b"
)
