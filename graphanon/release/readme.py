"""The letter to the recipient: what this is, how to read it, what can and cannot be learned.

Only numbers of the statement vary in it, so that the audit can tell every other word.
"""

from __future__ import annotations

from graphanon.release.model import Release
from graphanon.release.perturbed import PERTURBED, PerturbedRelease

__all__ = ["readme_text"]

GRAPH = """\
AN ANONYMIZED SOCIAL NETWORK

This folder describes {kept} people and {ties} ties between them as {groups} groups, called supernodes.
Each supernode stands for at least {k} people who are told together. Nobody is listed on their own,
and no file says who is in which supernode. Of {people} people, {withheld} are not in this release.

FILES
supernodes.csv      One line a supernode: its name, its size (how many people), the ties among its
                    own people (ties_inside), and what its people have in common. A number or a
                    rank has two columns, NAME_low and NAME_high: everyone's value lies between
                    them, both ends included. A category has one column: everyone's value is that
                    value or lies under it in hierarchies/. The sign * means that any value is
                    possible; an empty cell means that the value is not known for anyone in it.
superedges.csv      One line a pair of supernodes with at least one tie between them, and how many
                    ties there are. A pair that is not listed has none.
sensitive.csv       If present: how many people of a supernode have each value of an attribute. It
                    does not say who, nor which values of two attributes belong to one person.
supernodes.graphml  The same supernodes, ties and attributes for Gephi, igraph, networkx and others.
codebook.csv        Every attribute, its role and type, and how its cells are to be read.
hierarchies/        If present: the groups of values, one value a line, from the value to the groups
                    above it. Cells are separated by semicolons.
release.json        The same facts for programs: counts, what was promised, what was found, ranges,
                    and how much was lost.
SHA256SUMS          Checksums of the files: sha256sum -c SHA256SUMS

If release.json says that ties have a direction, they are called arcs, and a pair of supernodes is
listed once for each direction. If there are columns called weight, weights of ties were added up.

WHAT CAN BE LEARNED
How many people there are of each kind, how densely groups are tied, how attributes and ties go
together. Estimates are best made over many supernodes; inside one, take every arrangement of its
ties and values among its people as equally likely. The losses in release.json say how much detail
was given up: 0 is none, 1 is all.

WHAT CANNOT BE LEARNED, AND WHAT CAN STILL
Someone who knows a person's attributes cannot tell that person from the others of a supernode.
They may still learn what is true of everyone in it: a value that all of them share, or a tie that
nearly all of them have. "found" in release.json says how far that goes: tie_confidence is the
largest share of possible ties, inside a supernode or between two, that are really there; alpha, l and t,
where they are listed, say the same of sensitive values. Do not try to find out who someone is, and do
not join this release with others about the same people without asking whoever gave it to you.
"""

TABLE = """\
AN ANONYMIZED TABLE

This folder describes {kept} people in {groups} classes. In the columns that could tell who someone
is, the people of a class look exactly alike, and each class has at least {k} people. Of {people} people,
{withheld} are not in this release.

FILES
records.csv    One line a person, in random order. A number is a value or a closed interval [low, high]:
               the person's value lies between both ends. A rank is a label or the first and last of
               a run of labels. A category is a value, or a group of values from hierarchies/. The
               sign * means that any value is possible; an empty cell means that the value is not known.
codebook.csv   Every column, its role and type, and how its cells are to be read.
hierarchies/   If present: the groups of values, one value a line, from the value to the groups above
               it. Cells are separated by semicolons.
release.json   The same facts for programs: counts, what was promised, what was found, ranges, and
               how much was lost.
SHA256SUMS     Checksums of the files: sha256sum -c SHA256SUMS

Columns whose role in codebook.csv is sensitive or open hold values as they were given, shuffled among
the people of a class. If release.json says "payload": "split", each of these columns was shuffled
on its own, and two of their values on one line need not belong to one person.

WHAT CAN BE LEARNED
How many people there are of each kind, and how attributes go together. The losses in release.json say
how much detail was given up: 0 is none, 1 is all.

WHAT CANNOT BE LEARNED, AND WHAT CAN STILL
Someone who knows the attributes of a person cannot tell which line of the class is that person's. They may
still learn what is true of everyone in the class. Where release.json lists alpha, l and t under
"found", these say how far that goes. Do not try to find out who someone is, and do not join this
release with others about the same people without asking whoever gave it to you.
"""


REPORTS = """\
RANDOMIZED ANSWERS

This folder holds the answers of {people} people. Before anyone else saw a person's record it was changed
by chance, so that no answer proves what its owner's record says: whatever that record is, the same
answers could have come from it. How much more likely they are from one record than from another is
bounded by the budget epsilon; "epsilon" in release.json says what a record spends in all.

FILES
reports.csv    One line a person, in random order: what that person answered, as the mechanism's output.
               With the columns question and answer, each person answered one question, chosen by chance
               and not by the data; questions are numbered from 0 in the order of "plan".
records.csv    If present: the same answers as values of the columns. They look like records of people
               and are not: much of what they say is chance.
tie_reports.csv, tie_estimates.csv
               If present: ties as people reported them, changed by chance too, under the budget of a tie
               that "epsilon" lists beside that of a record. Either single pairs of lines of reports.csv,
               counted from 1, many of which are no ties; or how many pairs of two classes were
               reported. An estimate, with its standard error, is what chance leaves of that; it may be
               negative or a fraction.
codebook.csv   Every column, its role and type.
hierarchies/   If present: the values that a column can have, and their groups, separated by semicolons.
release.json   The same facts for programs: the domain of every column, every question with the
               whole-number weights (over 2 to the 64th) by which answers were drawn, and the ledger.
SHA256SUMS     Checksums of the files: sha256sum -c SHA256SUMS

WHAT CAN BE LEARNED
How often values occur and how columns go together, over many people. Do not count answers as they are:
the shares of values must be freed of the chance first, and are uncertain by what is left of it. The
more people, the better. graphanon ldp cluster does this for groups of alike people.

WHAT CANNOT BE LEARNED, AND WHAT CAN STILL
From a large epsilon much can be learned of single people: at 1 an answer may be 2.7 times as likely from one
record as from another, at 5 it may be 148 times. Budgets add up: if the same people answered again elsewhere,
the sum of both is what holds. Promises of groups of k people are not made here. If "for_release" is false,
the chance came from a seed that can be guessed or known, and none of this holds: do not hand it out.
"""

CENTRES = """\
CENTRES OF GROUPS

This folder describes {clusters} groups of people by one typical record each. It holds no record of anyone:
the centres were found under a budget epsilon of differential privacy. Whatever a single person's record
was, the same centres could have come out; "epsilon" in release.json bounds how much more likely they
are with one record than with another, and says between which data ("neighbours").

FILES
centres.csv    One line a centre: its name, if known which share of people it stands for, and
               its value in every column: a number is a mean, a category the most frequent value.
codebook.csv   Every column, its role and type.
hierarchies/   If present: the values that a column can have, and their groups, separated by semicolons.
release.json   The same facts for programs: how the centres were come by, and the ledger of the budget.
SHA256SUMS     Checksums of the files: sha256sum -c SHA256SUMS

WHAT CAN BE LEARNED
Which kinds of people there are. Centres are blurred by chance, the more the smaller epsilon is; centres that
lie close together may be one.

WHAT CANNOT BE LEARNED, AND WHAT CAN STILL
Who belongs to which centre is not told. From a large epsilon something can be learned of single people.
Budgets add up: if other results about the same people are handed out, the sum is what holds. Promises of
groups of k people are not made here. If "for_release" is false, the chance came from a seed that can be
guessed or known, and none of this holds: do not hand it out.
"""


def readme_text(release: Release | PerturbedRelease) -> str:
    """Return the text of README.txt."""
    if isinstance(release, PerturbedRelease):
        template = REPORTS if release.kind == PERTURBED else CENTRES
        return template.format(people=release.statement.get("people"), clusters=release.statement.get("clusters"))
    told = release.statement
    template = GRAPH if release.kind == "supernode-graph" else TABLE
    return template.format(
        kept=told["people"] - told["withheld"],
        people=told["people"],
        withheld=told["withheld"],
        groups=len(release.cells),
        ties=told.get("ties"),
        k=told["found"]["k"],
    )
