"""What the numbers of a release mean, in words that need no other words."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["FILES", "GLOSSARY", "LOSSES", "MEASURES", "PROMISES", "loss_words", "promise_words"]

PROMISES = {
    "k": "Every group has at least this many people. Whoever knows all the attributes of a person finds at least so many"
         " people it could be.",
    "alpha": "The largest share of a group that has one and the same value. At 1, whoever knows the group knows the value.",
    "l": "The number of different values in the least varied group. At 1, whoever knows the group knows the value.",
    "t": "How far the values of a group may be from those of all people together: 0 is alike, 1 is as far as can be.",
    "tie_confidence": "Of the pairs of people that could be tied, inside one group or between two, the largest share that"
                      " are. It is how sure anyone can become that two people are tied.",
}

LOSSES = {
    "ncp": ("Precision lost, by values", ("How much of its line of values the average cell covers: 0 is the exact value, 1 is"
            " any value at all (normalized certainty penalty).")),
    "ngil": ("Precision lost, by levels", ("How high the average cell has climbed in its hierarchy of groups of values: 0 is the"
             " value itself, 1 is the top (normalized generalization information loss).")),
    "nsil": ("Structure lost, of all pairs", ("How often one would be wrong about which pairs of people are tied, of the most that"
             " is possible: 0 is never, 1 is as often as can be (normalized structural information loss).")),
    "tie_loss": ("Structure lost, for each tie", ("The chance that a tie, put back at random where its count allows, joins the"
                 " wrong two people.")),
    "total": ("Both together", "Half precision lost by levels, half structure lost of all pairs."),
    "discernibility": ("Company", ("The sum of squared group sizes: each person adds the number of people they look like."
                       " Smaller is more detail.")),
    "average_class_size": ("Average group", "People in a group, on average."),
}
SCALED = ("ncp", "ngil", "nsil", "tie_loss", "total")

MEASURES = {
    "entropy": ("Entropy", "Bits by which people's values are hidden among all those that their groups allow, added up."),
    "entropy_share": ("Share of entropy", "The same, of what telling nothing would hide: 0 is none, 1 is all."),
    "precision": ("Precision", "What is left of the levels of the hierarchies (Prec): 1 is all, 0 is nothing."),
    "worst_class_ncp": ("Worst group", "The average share of each attribute's values that is possible in the group that lost most."),
    "class_entropy": ("Entropy of classes", "Bits that it takes to say in which class someone is."),
}

GLOSSARY = (
    ("group, supernode, class", ("People who are told together. In what may be known of them beforehand they look exactly alike."
     " In a network a group is called a supernode, in a table a class.")),
    ("superedge", "The number of ties between two supernodes. Nobody can tell which of their people they join."),
    ("generalized", "Told less exactly, so that it is true of everyone in a group: an age becomes 30 to 40, a town its region."),
    ("quasi attribute", "What others may know of a person and might recognize them by. It is generalized."),
    ("sensitive attribute", "What is worth protecting. Its values are counted in each group, and nothing says whose they are."),
    ("open attribute", "Values that are published as they are, shuffled among the people of a group."),
    ("withheld", "People who are left out of the release, because no group could hold them."),
    ("* (any)", "Nothing is told: any value is possible."),
)

FILES = {
    "supernodes.csv": "One line a supernode: its size, the ties inside, and what its people have in common.",
    "superedges.csv": "How many ties there are between two supernodes; a pair that is not listed has none.",
    "sensitive.csv": "How many people of a supernode have each sensitive or open value.",
    "supernodes.graphml": "The same graph for Gephi, igraph, networkx and R.",
    "records.csv": "One line a person, in random order; people of a class look alike.",
    "codebook.csv": "What each column is.",
    "release.json": "Counts, promises and losses for programs.",
    "README.txt": "A letter to whoever receives the release.",
    "SHA256SUMS": "Checksums of the files.",
}


def promise_words(promise: str, columns: Sequence[str]) -> tuple[str, str]:
    """Return a promise by the name it is known by, and what it means; `columns` are those it may be about.

    Examples
    --------
    >>> promise_words("alpha.illness.hiv", ["illness"])[0], promise_words("tie_confidence", [])[0]
    ('alpha of illness = hiv', 'tie confidence')
    >>> promise_words("l.marital.status", ["marital", "marital.status"])[0]
    'l of marital.status'
    """
    kind, _, rest = promise.partition(".")
    name = kind.replace("_", " ")
    column = max((column for column in columns if f"{rest}.".startswith(f"{column}.")), key=len, default=rest)
    value = rest.removeprefix(column).removeprefix(".")
    about = f"{column} = {value}" if value else column
    return f"{name} of {about}" if rest else name, PROMISES.get(kind, "")


def loss_words(name: str) -> tuple[str, str, bool]:
    """Return a loss in words, what it means, and whether it goes from 0 to 1.

    Examples
    --------
    >>> loss_words("ncp")[0], loss_words("discernibility")[2]
    ('Precision lost, by values', False)
    """
    title, meaning = LOSSES.get(name, (name.replace("_", " "), ""))
    return title, meaning, name in SCALED
